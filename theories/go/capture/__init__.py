"""Capturing a block in Go: what a reading of it follows from move to move (capture.horn)."""
