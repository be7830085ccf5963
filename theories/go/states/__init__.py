"""Boards of Go, their texts, and what a move leads to by the plain rules. The theory rests on none of it."""
