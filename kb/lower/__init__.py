"""From a theory to coded programs for an engine, and from its results back to the theory's words.

Imports `load` and below, and the matcher.
"""
