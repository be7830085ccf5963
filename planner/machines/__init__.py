"""Games in the form that planners use: states as words, moves as numbers. Imports `gdl` and `grounding`."""
