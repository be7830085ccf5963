"""Learning from a table of states: the table and the report."""
