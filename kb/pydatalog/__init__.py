"""pyDatalog: the import of its programs as theories, and its use as a second query engine.

Imports `load` and below.
"""
