"""Whole games: played move by move, thought about, and held by the protocols GTP and UCI."""
