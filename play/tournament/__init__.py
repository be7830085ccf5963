"""Tournaments: games between two players, and what they say of how strong these are."""
