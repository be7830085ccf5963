"""Regressed predicates about the state after moves, and the replies of a side, for the parent folder."""
