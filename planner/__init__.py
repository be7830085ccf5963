"""Planning: games that are written as rules, their plans, strategies and translations."""
