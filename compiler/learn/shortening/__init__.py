"""Short forms of learned rules: the parts of a rule become invented predicates."""
