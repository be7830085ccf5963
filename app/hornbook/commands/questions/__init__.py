"""Commands that query a theory, its facts or its rules."""
