"""A theory to look at in a browser: its rules, answers, proofs, boards and games, as pages of this machine."""
