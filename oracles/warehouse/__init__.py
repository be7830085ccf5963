"""A warehouse as a theory written by a user, with four actions and three goals, and random states of it."""
