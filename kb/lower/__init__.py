"""From a theory to what an engine is given, and what it says back in the theory's words.

Imports `load` and below, and the matcher.
"""
