"""The specification: an engine in plain Python that the compiled one is held against. Imports `program`."""
