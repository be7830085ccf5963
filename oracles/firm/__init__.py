"""Firms at random, and the truth of what is said of them."""
