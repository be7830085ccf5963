"""Checks of a program as a whole, based on the dependencies between its rules.

Imports the check unit and the checks of clauses.
"""
