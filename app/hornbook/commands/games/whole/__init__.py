"""Whole games: what their commands have in common."""
