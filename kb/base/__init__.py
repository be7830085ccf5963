"""The knowledge base: facts that come and go, queries, proofs. Imports all other rooms of the language."""
