"""Theory of chess, one file per part, from the men on the board to the games."""
