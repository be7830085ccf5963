"""Sliding tiles: boards of 2 × 2 to 5 × 5 squares, their texts, and the facts of a position."""
