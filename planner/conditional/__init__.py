"""What one role of a game can guarantee whatever the others do, with the strategy for it: the planner of conditional plans."""
