"""Checks of single clauses and facts, one file per family of mistakes.

Imports the check unit and `format`.
"""
