"""Maintenance of rules after a change of their theory: renewal or retirement, and proofs for unproved rules.

Imports `rules` and below.
"""
