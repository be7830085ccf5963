"""Learning: from examples to proved rules. Imports `prove` and below."""
