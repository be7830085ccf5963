"""Positions of Othello, their texts, and plain play. The theory rests on none of it."""
