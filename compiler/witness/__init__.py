"""The search for the contents of certificates: what proves each condition, and why. Nothing trusted rests on it."""
