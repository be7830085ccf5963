"""Conditional plans: the value that one role of a game can guarantee against all others, with a strategy for
it.
"""
