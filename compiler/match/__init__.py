"""Which rules answer in a state, at once or over several moves. Imports `rules` and below."""
