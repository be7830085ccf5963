"""Proved rules: their shapes, subsumption, admission, and rule bases as files and rows.

Imports the checker.
"""
