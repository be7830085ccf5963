"""Machines: games as planners see them, with states as words and moves as numbers, and the ways to make one of a sheet."""
