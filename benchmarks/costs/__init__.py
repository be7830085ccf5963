"""What matching costs: against rules, facts and depth, for each changed match, in memory, and with and without what saves it."""
