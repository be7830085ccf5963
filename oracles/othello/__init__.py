"""The theory, the plain play and the native step of Othello, held against each other."""
