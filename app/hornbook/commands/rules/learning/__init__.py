"""Learning from examples and from proofs, for the commands that learn."""
