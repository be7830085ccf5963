"""Guidance for proofs of games of chess: which moves may win, and the facts for questions about a position."""
