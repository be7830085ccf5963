"""Abalone: positions, their texts, and the facts of a position."""
