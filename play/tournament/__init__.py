"""Tournaments: games between two players, and estimates of their strength."""
