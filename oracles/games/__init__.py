"""Comparison of the shipped games' theories, Python plays and native steps."""
