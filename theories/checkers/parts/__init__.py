"""The theory of checkers, a file for each of its parts, from what stands where to the games that are played."""
