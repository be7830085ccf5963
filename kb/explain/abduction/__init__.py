"""Abduction: the changes of given facts that would suffice for a statement.

Imports the other modules of `explain` only for the places of facts.
"""
