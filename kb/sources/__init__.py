"""Where texts come from and what is said of them: files, theories by name, diagnostics.

Imports `text` and `ast`.
"""
