"""Strategies for one role against all others, as files, with a checker that does not trust the planners."""
