"""Statistics of a game, drawn."""
