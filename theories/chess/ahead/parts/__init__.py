"""Regressed predicates about the state after moves, and the replies of a side; used by the theories of
the parent folder.
"""
