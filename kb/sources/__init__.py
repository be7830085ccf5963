"""The sources of texts, files and theories by name, diagnostics about them, and the persistent cache.

Imports `text` and `ast`.
"""
