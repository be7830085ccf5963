"""The theory of Othello, a file for each of its parts, from what a disc outflanks to the games that are played."""
