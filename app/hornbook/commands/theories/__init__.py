"""Commands for authors of theories."""
