"""Theories of chess about several moves: mate in two, lost men and promoted pawns from the rules of single
moves, and captures described by the resulting position.
"""
