"""Advice on a firm's decisions, what one decision would do, and the review of a year."""
