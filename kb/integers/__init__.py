"""Sets of integers, and comparisons of one unknown solved exactly.

Imports `ast` and the matcher's arithmetic.
"""
