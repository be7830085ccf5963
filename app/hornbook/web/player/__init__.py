"""A player of games in GDL over HTTP, for game managers."""
