"""Commands for authors of a theory."""
