"""Terminal output: colours, width, failures, and the end of a command."""
