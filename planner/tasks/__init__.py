"""Ground planning tasks: from a problem in PDDL to operators without variables, and searches for plans, with
proofs of their quality. Imports `pddl`.
"""
