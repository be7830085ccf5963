"""Texts, stores and tables at random and damaged, and programs for pyDatalog."""
