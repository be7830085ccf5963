"""What is proved of a sheet by induction: fluents with one value, and whose turn it is."""
