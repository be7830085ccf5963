"""Work in parts, done by this process, by several, by Dask or by Ray; and tables of states, answered so."""
