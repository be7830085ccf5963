"""Commands that search games: best moves, plans, engines for other programs, tournaments and statistics."""
