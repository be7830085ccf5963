"""Facts from tables and answers as tables: CSV, Parquet, SQL, Arrow. Imports `load` and below."""
