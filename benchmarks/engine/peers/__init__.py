"""Peers, one per module. Each has `run(task) -> Outcome`, and runs in its own process."""
