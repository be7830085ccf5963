"""Theory of Go, one file per part, from the stones on a board to the effects of a move."""
