"""Checks of single clauses and facts, one file per family of mistakes.

Imports the subject of a check and `format`.
"""
