"""`hornbook strategy` with a theory."""
