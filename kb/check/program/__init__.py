"""Checks of a program as a whole, based on the dependencies between its rules.

Imports the subject of a check and the checks of clauses.
"""
