"""Games written as rules: whether they are played right, and how fast."""
