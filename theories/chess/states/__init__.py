"""Positions of chess, their texts, and the moves there are by the plain rules. The theory rests on none of it."""
