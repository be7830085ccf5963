"""Browser pages about a theory: its rules, answers, proofs, boards and games, served on this machine."""
