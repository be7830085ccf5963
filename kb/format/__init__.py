"""From abstract syntax to text: the printer, the formatter, and colours for both.

Imports `parse` and below.
"""
