"""Positions of chess, their texts, and a plain implementation of the rules.

The theory does not depend on it.
"""
