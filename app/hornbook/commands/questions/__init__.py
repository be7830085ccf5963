"""Commands that ask a theory, its facts or its rules."""
