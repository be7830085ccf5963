"""Comparison of the theory, the Python play and the native step of checkers with each other and with the rule
book.
"""
