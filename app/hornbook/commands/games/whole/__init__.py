"""Code shared by the commands for whole games."""
