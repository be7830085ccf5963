"""Stores for commands and programs: opened, filled, displayed and updated after an edit of a theory."""
