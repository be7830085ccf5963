"""The knowledge base: facts that can be added and retracted, queries, proofs.

Imports all other packages of `kb`.
"""
