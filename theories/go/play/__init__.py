"""Guidance for proofs of captures and of eyes, the facts for questions about a board, and the judge of rules."""
