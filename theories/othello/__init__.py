"""Othello: boards of 4 × 4 to 8 × 8 squares, their diagrams and transcripts, and the facts of a position."""
