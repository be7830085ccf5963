"""Explanations of derived and missing facts, as text, pages and pictures.

Imports `lower`, `tables` and below.
"""
