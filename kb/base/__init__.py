"""The knowledge base: adding and retracting facts, queries, proofs. Imports all other rooms of
the language.
"""
