"""Theories of chess about what moves come to: mates in two, men that are lost and pawns that are promoted, from the rules of single moves alone, and takings said of what they leave."""
