"""The coder: from theories to coded programs for an engine, and from results back to statements.

Imports `load` and below, and the matcher.
"""
