"""Proofs against every reply of an opponent, where one example shows only some.

Imports `generalise`, `match` and below.
"""
