"""Theory of checkers, one file per part, from the pieces on the board to the games."""
