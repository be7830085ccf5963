"""Positions of chess as pictures, with marks on the squares that a rule mentions."""
