"""Random walks of changes to a program, on several engines side by side."""
