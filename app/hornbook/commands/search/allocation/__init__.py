"""Commands that learn before which moves a deeper search is worth its time."""
