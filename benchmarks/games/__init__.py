"""Correctness and speed of games written as rules."""
