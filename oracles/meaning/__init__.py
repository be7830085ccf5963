"""What the words of a theory mean in the game that it is about, in Coq, and that its clauses are true there.

`statements.py` writes each clause as a proposition, by the words' meanings (`go/Words.v`); `proving.py` compiles the proofs and
says which clauses have one.
"""
