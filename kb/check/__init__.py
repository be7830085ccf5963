"""The checker: finds every mistake in a file, a query or added rules before evaluation.

Each module contains the checks for one family of mistakes. One mistake gives one diagnostic: a check ignores
code that another check refuses, and consequences of such code.
"""
