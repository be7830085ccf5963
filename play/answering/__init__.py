"""Answers by rules alone: matches of rules, chained over the moves of a game, and gains of moves."""
