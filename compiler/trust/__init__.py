"""What of a theory is to be trusted: what its clauses are, which of its lemmas are proved, which words its games restore, and on which
clauses proofs rest. Imports `rules` and below.
"""
