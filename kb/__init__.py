"""The language and the knowledge base: texts, terms, checks, facts, queries, proofs. Imports the matcher."""
