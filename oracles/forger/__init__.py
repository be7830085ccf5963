"""A forger of certificates."""
