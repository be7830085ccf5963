"""A set of rules as one C++ program with a C header, and its use from Python. Imports `program`."""
