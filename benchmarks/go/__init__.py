"""Measurements of the theory of Go and of rules learned from it."""
