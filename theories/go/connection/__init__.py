"""Connection of two blocks of Go: a game with learned rules only, and its domain (connection.horn)."""
