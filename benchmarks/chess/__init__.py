"""Measurements of the theory of chess and of rules learned from it."""
