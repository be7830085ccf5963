"""Explanations of syntax errors: the probable intention of a clause that does not parse, and a message.
Imports what the parser does.
"""
