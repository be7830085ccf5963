"""A firm as a table and a year as a folder of tables, read and written."""
