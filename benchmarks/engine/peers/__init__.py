"""The peers, one a file. Each has `run(task) -> Outcome`, and runs in a process of its own."""
