"""Allocation: which moves of a game a player looks at more deeply, learned from its own games (Markovitch and Sella 1996)."""
