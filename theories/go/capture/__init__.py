"""Capture of a block in Go: the facts that it depends on, from move to move (capture.horn)."""
