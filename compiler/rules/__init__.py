"""Rules that are proved: their shapes, which says more than which, rule bases as files and rows.

Imports the checker.
"""
