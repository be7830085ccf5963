"""The meaning of a theory's predicates in its game, in Coq, and proofs that its clauses are true there.

`statements.py` writes each clause as a proposition about the predicates' meanings (`go/Words.v`).
`proving.py` compiles the proofs and reports the proved clauses.
"""
