"""Functions that open theories, facts, rules and stores named by a user."""
