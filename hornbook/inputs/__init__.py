"""What a theory, facts, rules or a store named by a user become."""
