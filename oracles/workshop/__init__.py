"""Random states of a workshop, where parts are mounted on machines and taken off them.

`workshop.horn` is its theory.
"""
