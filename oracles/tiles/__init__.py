"""Sliding tiles by breadth-first search, to compare with play and search."""
