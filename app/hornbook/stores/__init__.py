"""Stores as the commands and programs use them: opened, filled, shown, and brought up to date."""
