"""Plain text: lines, clauses, escaping for display, numbers in messages, and atomic writing of files.

Imports nothing of this project.
"""
