"""An engine for facts that exceed memory: rules as SQL, in DuckDB. Imports `program`."""
