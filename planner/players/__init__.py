"""Players of games in GDL, by name: each chooses a move of its role within a clock."""
