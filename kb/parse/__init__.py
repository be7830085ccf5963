"""The parser: from text to abstract syntax, with the position of each clause.

Imports `text`, `ast` and `sources`.
"""
