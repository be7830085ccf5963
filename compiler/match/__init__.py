"""Matching: the rules that answer in a state, at once or over several moves. Imports `rules` and below."""
