"""Rules after a change of their theory: proved again, or retired; and those without a proof, proved.

Imports `rules` and below.
"""
