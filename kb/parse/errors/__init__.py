"""What a clause that does not parse was meant to be, and the message that says so.

Imports what the parser does.
"""
