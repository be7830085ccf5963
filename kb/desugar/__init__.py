"""Desugaring: from the surface syntax of the parser to core rules, in one documented order.

Imports `sources` and below.
"""
