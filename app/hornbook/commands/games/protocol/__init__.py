"""Commands of the protocol of general game playing."""
