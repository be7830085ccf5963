"""Learning of wins against every reply, from rules of single moves."""
