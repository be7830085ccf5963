"""What of a theory is to be trusted: what its clauses are, and on which of them proofs rest. Imports `rules` and below."""
