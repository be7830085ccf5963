"""Readers of single table formats: the rows of CSV and the columns of Arrow data."""
