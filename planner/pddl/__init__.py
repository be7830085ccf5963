"""Planning problems in PDDL: from the texts of a domain and a problem to a syntax tree, with all mistakes.
Imports `gdl`.
"""
