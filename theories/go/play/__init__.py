"""Guidance for proofs of captures and of eyes, what a board is asked, and the judge of what rules say."""
