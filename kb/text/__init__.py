"""Plain text: splitting it into lines and clauses, escaping it for display, and writing files atomically.

Imports nothing of ours.
"""
