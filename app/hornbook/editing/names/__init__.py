"""The meaning of names in a file that may have mistakes: occurrences, scopes and sorts."""
