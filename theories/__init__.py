"""Domains, each a folder with a theory, what reads its files, and examples. Imports the language alone."""
