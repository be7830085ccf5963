"""Chess: positions, their FEN, diagrams and moves as text, and the facts of a position."""
