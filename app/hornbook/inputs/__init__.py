"""Opening what a user names: theories, facts, rules and stores."""
