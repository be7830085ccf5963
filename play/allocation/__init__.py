"""Allocation: the choice of moves that a player searches more deeply, learned from its own games.

Source: Markovitch and Sella 1996.
"""
