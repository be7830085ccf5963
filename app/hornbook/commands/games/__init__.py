"""Commands for games that are written in GDL."""
