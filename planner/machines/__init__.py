"""Games as planners see them: states as words, moves as numbers. Imports `gdl` and `grounding`."""
