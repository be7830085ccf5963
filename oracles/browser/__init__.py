"""Checks of HTML pages in a real browser."""
