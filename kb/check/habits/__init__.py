"""Checks for valid but suspicious code, which run on files without other mistakes.

Imports the check unit and `format`.
"""
