"""Family: who is whose parent, and what follows from it."""
