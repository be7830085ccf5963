"""Abalone by a second plain play, on coordinates, and random games in which marbles are lost."""
