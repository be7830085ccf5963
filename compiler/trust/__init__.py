"""Trust in theories: the kinds of clauses, proved lemmas, invariants of games, and the clauses that proofs
depend on.

Imports `rules` and below.
"""
