"""Shared parts of board games: marks on places, their legend, picture frames, and rows of a diagram."""
