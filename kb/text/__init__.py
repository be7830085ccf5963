"""Plain text: splitting it into lines and clauses, escaping it for display, counting things in messages, and writing files
atomically.

Imports nothing of ours.
"""
