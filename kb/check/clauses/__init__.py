"""Checks of single clauses and facts, a family of mistakes a file.

Imports the subject of a check and `format`.
"""
