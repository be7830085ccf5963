"""An engine for facts too many for memory: rules without recursion as SQL, in DuckDB. Imports `program` and `plain`."""
