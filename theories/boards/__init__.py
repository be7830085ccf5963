"""Shared parts of board games: marks on places, their legend, the frame of a picture, and rows of a diagram."""
