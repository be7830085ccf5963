"""Proofs against every reply of an opponent, where one example shows only some; and of rules that a person wrote,
without an example.

Imports `generalise`, `match` and below.
"""
