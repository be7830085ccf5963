"""Matches in simulated time, and requests of game managers with random mistakes."""
