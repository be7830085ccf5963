"""How values of games are regressed (values.horn)."""
