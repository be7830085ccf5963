"""The printer and the formatter: from abstract syntax to text, with highlighting.

Imports `parse` and below.
"""
