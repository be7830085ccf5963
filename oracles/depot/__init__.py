"""Random states of a depot, where lines are added to orders, removed from them and exchanged.

`depot.horn` is its theory.
"""
