"""The search for states that refute a rule or violate a key or count; no proof rests on what it finds."""
