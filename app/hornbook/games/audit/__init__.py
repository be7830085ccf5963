"""Comparison of rules and theories with the steps and the search of their domain."""
