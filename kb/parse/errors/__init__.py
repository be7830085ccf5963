"""Explanations of syntax errors: the probable intention of a clause that does not parse, and a message.

Has the same imports as the parser.
"""
