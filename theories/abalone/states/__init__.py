"""Positions of Abalone, their texts, and plain play. The theory rests on none of it."""
