"""Guidance for proofs of games of chess: moves that may win, and the facts for queries about a position."""
