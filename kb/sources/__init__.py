"""The sources of texts, files and theories by name, and diagnostics about them.

Imports `text` and `ast`.
"""
