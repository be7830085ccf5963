"""Rules after a change of their theory: proved again, or retired.

Imports `rules` and below.
"""
