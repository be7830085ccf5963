"""Comparisons of game searches."""
