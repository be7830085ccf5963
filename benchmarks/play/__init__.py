"""Searches of games, held against each other."""
