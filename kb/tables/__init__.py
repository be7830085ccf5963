"""Tables of facts and answers: CSV, Parquet, SQL, Arrow.

Imports `load` and below.
"""
