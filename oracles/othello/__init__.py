"""Comparison of the theory, the Python play and the native step of Othello."""
