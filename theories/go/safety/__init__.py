"""Blocks of Go that can never be captured: the definition and the making of two eyes (safety.horn)."""
