"""Sets of integers, and exact solutions of comparisons with one unknown integer.

Imports `ast` and the matcher's arithmetic.
"""
