"""Explanations of derived and missing facts, as data and text.

Imports `lower`, `tables` and below.
"""
