"""Commands for the management of a firm: decisions, and reviews of a year."""
