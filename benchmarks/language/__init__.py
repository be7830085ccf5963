"""Costs of reading theories and data."""
