"""Names of files with several tables, databases and workbooks, and of JSON.

No module of the parser or of a database is imported here, since every command needs these names.
"""

from __future__ import annotations

from pathlib import Path

DATABASE_SUFFIXES = (".sqlite", ".sqlite3", ".db", ".duckdb")
"""The endings of the names of databases."""
WORKBOOK_SUFFIXES = (".xlsx",)
"""The endings of the names of Excel workbooks."""
JSON_LINES_SUFFIXES = (".jsonl", ".ndjson")
JSON_SUFFIXES = (".json", *JSON_LINES_SUFFIXES)
"""The endings of the names of files with records of JSON."""


def is_database(path: Path) -> bool:
    """Return whether the name of a file is that of a database."""
    return path.suffix.lower() in DATABASE_SUFFIXES


def is_workbook(path: Path) -> bool:
    """Return whether the name of a file is that of an Excel workbook."""
    return path.suffix.lower() in WORKBOOK_SUFFIXES


def has_tables(path: Path) -> bool:
    """Return whether the name of a file is that of a database or a workbook."""
    return is_database(path) or is_workbook(path)
