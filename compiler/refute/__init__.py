"""The search for states that refute a rule or break a promise; what it finds is shown, and nothing rests on it."""
