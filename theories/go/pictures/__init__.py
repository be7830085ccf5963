"""Boards of Go as pictures, with marks on the points that a rule mentions."""
