"""Plain text: lines, clauses, literals of dates and numbers, escaping, and atomic writing of files.

Imports nothing of this project but the decorator of dataclasses.
"""
