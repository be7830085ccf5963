"""Where a table goes that was answered: Parquet, CSV, or a table of a database.

Always true: the file is written whole or not at all, and the other tables of a database stay as they are. Parquet and DuckDB hold lists
of answers; elsewhere they are JSON.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hornbook.kb.ast.terms import MAX_INTEGER, MIN_INTEGER
from hornbook.kb.sources.extras import extra_module
from hornbook.kb.tables.csv_lines import csv_lines
from hornbook.kb.tables.database_files import DATABASE_SUFFIXES, is_database
from hornbook.kb.tables.databases import is_kept_by_hornbook
from hornbook.kb.tables.tables import PARQUET_SUFFIXES, TableError, file_and_table
from hornbook.kb.tables.written_tables import ColumnKind, WrittenTable, write_duckdb, write_sqlite
from hornbook.kb.text.writing import write_text

if TYPE_CHECKING:
    import pyarrow

ANSWERED = "answers"
"""The table of a database that answers go to if none is named."""
_ENDINGS = (".csv", *PARQUET_SUFFIXES, *DATABASE_SUFFIXES)


@dataclass(frozen=True, slots=True)
class AnswerPlace:
    """A file, and of a database the table in it."""

    path: Path
    table: str

    @classmethod
    def of(cls, named: Path) -> AnswerPlace:
        """What `FILE` or `FILE::TABLE` names. Raises TableError where the ending of a file says of no table how to write it, or the
        file is a store.
        """
        path, table = file_and_table(str(named))
        if path.suffix.lower() not in _ENDINGS:
            raise TableError(
                str(path),
                f"the name of a table to write ends in {', '.join(_ENDINGS[:-1])} or {_ENDINGS[-1]}",
            )
        if is_database(path) and path.is_file() and is_kept_by_hornbook(path):
            raise TableError(str(path), "this is a store of Hornbook's; name another file")
        return cls(path, table or ANSWERED)

    @property
    def parts(self) -> Path:
        """The folder that keeps what was answered until all is."""
        return self.path.with_name(f"{self.path.name}.parts")

    def put(self, written: Path) -> None:
        """Puts there what was written as Parquet. Raises OSError, of which WritingError is one."""
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
    """The rows, whose columns need not have names of their own."""
    return zip(*(column.to_pylist() for column in table.columns), strict=True)


def _as_text(value: object) -> str | None:
    """A cell as text: lists of answers are JSON, and so are true and false."""
    if value is None or isinstance(value, str):
        return value
    is_json = isinstance(value, bool | int | float | list | dict)
    return json.dumps(value, ensure_ascii=False, default=str) if is_json else str(value)


def _as_cell(value: object) -> Any:
    """A cell of SQLite, whose integers have 64 bits."""
    if isinstance(value, int):
        return value if MIN_INTEGER <= value <= MAX_INTEGER else str(value)
    return value if isinstance(value, float | bytes) else _as_text(value)
