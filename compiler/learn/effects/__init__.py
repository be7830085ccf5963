"""Learning the effects of actions with invented predicates: short rules for any number of objects."""
