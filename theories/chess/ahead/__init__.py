"""Theories of chess about what moves come to: mates in two from the rules of single moves alone, and takings said of what they leave."""
