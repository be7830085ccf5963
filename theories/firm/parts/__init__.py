"""Theory of the firm, one file per part, from its stocks to the results of a month."""
