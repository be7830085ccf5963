"""Theory of Othello, one file per part, from the outflanked discs to the games."""
