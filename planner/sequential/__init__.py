"""Sequential planning: the best plan of a game for one role, and what is proved of it. Imports `gdl`, `machines` and `strategies`."""
