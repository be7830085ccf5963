"""Plain text: lines, clauses, literals of dates and numbers, escaping for display, and atomic writing of files.

Imports nothing of this project.
"""
