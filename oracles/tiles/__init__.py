"""Sliding tiles by breadth-first search, the slow twin of what plays and searches them."""
