"""The theory of Go, a file for each of its parts, from what stands on a board to what a move changes."""
