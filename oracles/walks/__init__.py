"""Random sequences of changes to a program, run on several engines."""
