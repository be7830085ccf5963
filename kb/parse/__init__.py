"""From a text to its abstract syntax, each clause with its place. Imports `text`, `ast` and `sources`."""
