"""What rules and theories say, held against the steps and the search of their domain."""
