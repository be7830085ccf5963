"""Regression of a whole theory: definitions, before an action, of the predicates that hold after it."""
