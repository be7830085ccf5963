"""Learning from a table of states until the learned rules find what their theory concludes."""
