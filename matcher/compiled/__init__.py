"""The Python interface of the compiled engine. Imports `program`."""
