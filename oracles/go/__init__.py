"""Go by other programs, and the truth of what the theory says of it."""
