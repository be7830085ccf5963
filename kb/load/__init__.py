"""The loader: from files to theories, and from adapters to facts.

Imports `check` and below.
"""
