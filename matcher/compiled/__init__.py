"""The face of the compiled engine. Imports `program` and `plain`."""
