"""Planning: games that are written as rules, and what is played in them."""
