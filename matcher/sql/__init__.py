"""An engine for facts that exceed memory: rules without recursion as SQL, in DuckDB. Imports `program`."""
