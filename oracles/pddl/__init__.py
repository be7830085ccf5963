"""Planning problems in PDDL: domains, random problems, and an interpreter that judges plans."""
