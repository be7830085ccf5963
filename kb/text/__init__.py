"""Plain text: lines and clauses of a text, what is shown of it, and writing a file whole or not at all.

Imports nothing of ours.
"""
