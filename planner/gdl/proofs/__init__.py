"""Explanations: why something holds in a state of a game, and why something does not."""
