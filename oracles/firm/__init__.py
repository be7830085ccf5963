"""Random firms, and the truth of conclusions about them."""
