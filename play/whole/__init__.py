"""Whole games: move by move, with decisions, and by the protocols GTP and UCI."""
