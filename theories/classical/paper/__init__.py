"""The board of Cazenave (1996, figure 5) and the theory of its Table II (paper.horn)."""
