"""What a terminal shows: colours, width, failures, and how a command ends."""
