"""Thinking: statistics of a game's searches, decisions within a budget by a search of any name, and games between searches."""
