"""The protocol of game managers and players, without HTTP. Imports `gdl` and `players`."""
