"""The abstract syntax: frozen terms, rules, declarations and theories, substitution, and the canonical form.

Imports `text`.
"""
