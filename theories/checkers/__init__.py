"""English draughts: positions, their diagrams, FEN and PDN files, and the facts of a position."""
