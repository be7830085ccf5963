"""Literals: dates, times and decimal numbers. Each is an integer with a text of its own."""
