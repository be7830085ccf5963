"""The abstract syntax: frozen terms, rules, declarations and theories, substitution over
them, and their canonical form.

Imports `text`.
"""
