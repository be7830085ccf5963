"""Theories of chess about what moves come to: mates in two and men that are lost, from the rules of single moves alone, and takings said of what they leave."""
