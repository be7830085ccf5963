"""The specification of all engines: an engine in plain Python with which the others are compared."""
