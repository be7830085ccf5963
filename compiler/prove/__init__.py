"""Proofs against every reply of an opponent, of which one example shows only some, and proofs of hand-written
rules.

Imports `generalise`, `match` and below.
"""
