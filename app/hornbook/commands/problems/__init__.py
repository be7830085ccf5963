"""Commands about problems of games."""
