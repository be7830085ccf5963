"""Costs of learning, matching and storing rules."""
