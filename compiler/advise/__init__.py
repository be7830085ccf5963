"""Which amounts reach a goal, and which goals no common amount serves. Imports the language alone."""
