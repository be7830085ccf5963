"""The meaning of names in a file: occurrences, scopes and quick fixes.

Imports `load` and below.
"""
