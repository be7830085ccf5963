"""Guidance for proofs of captures and of eyes, the facts for queries about a board, and the judge of rules."""
