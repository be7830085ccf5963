"""Regression of the values of games (values.horn)."""
