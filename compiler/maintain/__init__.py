"""Rules after a change of their theory: proved again, learned again, or retired.

Imports `learn` and below.
"""
