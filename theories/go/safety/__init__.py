"""Blocks of Go that can never be captured: what two eyes are, and how they are made (safety.horn)."""
