"""Names of files that are databases.

No module of the parser or of a database is imported here, since every command needs these names.
"""

from __future__ import annotations

from pathlib import Path

DATABASE_SUFFIXES = (".sqlite", ".sqlite3", ".db", ".duckdb")
"""The endings of the names of databases."""


def is_database(path: Path) -> bool:
    """Return whether the name of a file is that of a database."""
    return path.suffix.lower() in DATABASE_SUFFIXES
