"""`hornbook serve`: a theory or a store that answers other programs over HTTP."""
