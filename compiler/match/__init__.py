"""Matching: the rules and plans that answer in a state. Imports `rules` and below."""
