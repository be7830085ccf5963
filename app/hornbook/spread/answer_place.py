"""Destination of answers: a Parquet or CSV file, or a table of a database.

Parquet and DuckDB store lists of answers as lists. Other formats store them as JSON.

Invariants: The file is written whole or not at all. The other tables of a database are unchanged.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hornbook.kb.ast.terms import MAX_INTEGER, MIN_INTEGER
from hornbook.kb.sources.extras import extra_module
from hornbook.kb.tables.csv_lines import csv_lines
from hornbook.kb.tables.database_files import DATABASE_SUFFIXES, is_database
from hornbook.kb.tables.databases import is_store_database
from hornbook.kb.tables.tables import PARQUET_SUFFIXES, TableError, file_and_table
from hornbook.kb.tables.written_tables import ColumnKind, WrittenTable, write_duckdb, write_sqlite
from hornbook.kb.text.writing import write_text
from hornbook.matcher.program.dataclass import dataclass

if TYPE_CHECKING:
    import pyarrow

ANSWERED = "answers"
"""The default table name in a database."""
_ENDINGS = (".csv", *PARQUET_SUFFIXES, *DATABASE_SUFFIXES)


@dataclass(frozen=True, slots=True)
class AnswerPlace:
    """A file, and the name of the table in it if the file is a database."""

    path: Path
    table: str

    @classmethod
    def of(cls, named: Path) -> AnswerPlace:
        """Return the destination named by `FILE` or `FILE::TABLE`.

        Raises TableError if the file extension is unknown, or the file is a store.
        """
        path, table = file_and_table(str(named))
        if path.suffix.lower() not in _ENDINGS:
            raise TableError(
                str(path),
                f"the name of a table to write ends in {', '.join(_ENDINGS[:-1])} or {_ENDINGS[-1]}",
            )
        if is_database(path) and path.is_file() and is_store_database(path):
            raise TableError(str(path), "this is a store of Hornbook's; name another file")
        return cls(path, table or ANSWERED)

    @property
    def parts(self) -> Path:
        """The folder for the answers of finished chunks until all are finished."""
        return self.path.with_name(f"{self.path.name}.parts")

    def put(self, written: Path) -> None:
        """Move the answers from a Parquet file to the destination. Raises OSError (such as WritingError)."""
        parquet = extra_module("pyarrow.parquet", "data")
        suffix = self.path.suffix.lower()
        if suffix in PARQUET_SUFFIXES:
            if self.path.exists():
                written.chmod(self.path.stat().st_mode & 0o777)
            written.replace(self.path.resolve())
        elif suffix == ".csv":
            with parquet.ParquetFile(written) as file:
                rows = (tuple(map(_as_text, row)) for batch in file.iter_batches() for row in _rows(batch))
                write_text(self.path, csv_lines(file.schema_arrow.names, rows))
        else:
            content: pyarrow.Table = parquet.read_table(written)
            names = tuple(content.schema.names)
            kinds: list[ColumnKind] = ["any" for _ in names]
            table = WrittenTable(
                self.table,
                names,
                tuple(kinds),
                lambda: [tuple(map(_as_cell, row)) for row in _rows(content)],
                lambda: content,
            )
            write = write_duckdb if suffix == ".duckdb" else write_sqlite
            write(self.path, [table], lambda _: None)


def _rows(table: pyarrow.Table | pyarrow.RecordBatch) -> Iterator[tuple[Any, ...]]:
    """Yield the rows; column names may repeat."""
    return zip(*(column.to_pylist() for column in table.columns), strict=True)


def _as_text(value: object) -> str | None:
    """Return a cell as text; lists of answers, true and false become JSON."""
    if value is None or isinstance(value, str):
        return value
    is_json = isinstance(value, bool | int | float | list | dict)
    return json.dumps(value, ensure_ascii=False, default=str) if is_json else str(value)


def _as_cell(value: object) -> Any:
    """Return a cell for SQLite; integers beyond 64 bits become text."""
    if isinstance(value, int):
        return value if MIN_INTEGER <= value <= MAX_INTEGER else str(value)
    return value if isinstance(value, float | bytes) else _as_text(value)
