"""Guidance for proofs of games of chess: which moves may win, and what a position is asked."""
