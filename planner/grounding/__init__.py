"""Grounding: from the program of a sheet to rules without variables, for the atoms that can ever hold.
Imports `gdl`.
"""
