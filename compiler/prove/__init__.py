"""Proofs against every reply of an opponent, although an example shows only some, and proofs of hand-written
rules.

Imports `generalise`, `match` and below.
"""
