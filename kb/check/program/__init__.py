"""Checks of a program as a whole: which rules rest on which. Imports the subject of a check and the checks of
clauses.
"""
