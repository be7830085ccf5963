"""Positions of sliding tiles, their texts, and plain play. The theory rests on none of it."""
