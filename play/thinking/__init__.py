"""Decisions within a budget by any search, statistics for searches, and games between searches."""
