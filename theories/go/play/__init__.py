"""Guidance for proofs of captures and of eyes, the facts for queries about a board, and a judge of rules."""
