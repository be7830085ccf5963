"""The search for states that refute a rule or violate a key or count. No proof depends on its results."""
