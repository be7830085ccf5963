"""Connecting two blocks of Go: a game whose rules are all learned, and the domain that plays it (connection.horn)."""
