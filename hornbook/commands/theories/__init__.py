"""Commands for who writes a theory."""
