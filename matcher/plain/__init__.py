"""The specification: an engine in plain Python with which the compiled one is compared. Imports `program`."""
