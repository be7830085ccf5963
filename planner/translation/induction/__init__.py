"""Properties of a sheet that are proved by induction: fluents with one value, and turns."""
