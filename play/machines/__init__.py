"""Games as machines of the planner: the step and the searches of games in GDL and of domains in Python."""
