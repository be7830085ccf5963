"""Theory of Abalone, one file per part, from the marbles on cells to the goals."""
