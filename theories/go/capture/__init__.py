"""Capturing a block in Go: the facts on which a capture depends, from move to move (capture.horn)."""
