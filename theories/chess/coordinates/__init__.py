"""King and pawn against king by files and ranks: how the king alone holds the draw (lone_king.horn), and what wins (escorted.horn)."""
