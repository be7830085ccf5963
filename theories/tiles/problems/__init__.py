"""Problems of sliding tiles: solve the puzzle, bring a tile to its square. A file of problems."""
