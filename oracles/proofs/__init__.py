"""Random theories, forged rules, and their truth by exhaustive search."""
