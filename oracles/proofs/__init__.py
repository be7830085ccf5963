"""Theories at random, rules that lie, and their truth by brute force."""
