"""Domains: each folder has a theory, an adapter for its files, and examples. Imports only the language."""
