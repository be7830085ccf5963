"""Measurements of the theory of a firm and of its advice."""
