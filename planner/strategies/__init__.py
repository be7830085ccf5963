"""Strategies: what one role does whatever the others do, as files, with the checker that trusts no planner."""
