"""The abstract syntax: frozen terms, rules, declarations and theories, and substitution over them.

Imports `text`.
"""
