"""The theory of the firm, a file for each of its parts, from its stocks to what a month brings."""
