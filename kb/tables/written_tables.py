"""Output tables: CSV and Parquet as a folder of files, or an SQLite or DuckDB database.

Invariants: All of the tables are written, or none. Files and tables with other names are kept unchanged.
"""

from __future__ import annotations

import datetime
import errno
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from hornbook.kb.ast.terms import Statement
from hornbook.kb.sources.extras import extra_module
from hornbook.kb.tables.answers import Row, written
from hornbook.kb.tables.csv_lines import csv_lines
from hornbook.kb.text.literals.forms import form_of_kind
from hornbook.kb.text.writing import WritingError, new_folder, require_writable, write_files
from hornbook.matcher.program.dataclass import dataclass

if TYPE_CHECKING:
    import pyarrow

ColumnKind = str
"""The type of a column's values: `word`, `integer`, `mixed`, a form such as `date` or `decimal(2)`, or
`any`. A column of `any` may have all types and missing cells.
"""


@dataclass(frozen=True, slots=True)
class WrittenTable:
    """A table with a name, column names and column types.

    Its contents are created when it is written: as rows, or as an Arrow table for Parquet.
    """

    name: str
    columns: tuple[str, ...]
    kinds: tuple[ColumnKind, ...]
    rows: Callable[[], Sequence[Row]]
    arrow: Callable[[], pyarrow.Table]

    def written(self, rows: Iterable[Row]) -> Iterable[Row]:
        """Return its rows for text formats."""
        found = written(rows, [kind == "mixed" for kind in self.kinds])
        if not any(map(_has_form, self.kinds)):
            return found
        # A database driver would write the integer.
        return (
            tuple(
                _text(value) if _has_form(kind) else value
                for value, kind in zip(row, self.kinds, strict=True)
            )
            for row in found
        )


def table_name(template: Statement) -> str:
    """Return the name of a relation's table: that of the relation, with `.after` for one after the action."""
    name = template.relation.removesuffix(" is").replace(" ", ".")
    return f"{name}.after" if template.tense == "after" else name


def write_csv(folder: Path, tables: Iterable[WrittenTable], wrote: Callable[[int], None]) -> None:
    """Write `NAME.csv` with a header for each table into a folder, which is created if necessary.

    `wrote` is called with the number of rows of each table. Raises WritingError and the errors of creating
    the contents. Then all files are unchanged.
    """

    def put(table: WrittenTable, stream: IO[bytes]) -> None:
        rows = table.rows()
        stream.writelines(map(str.encode, csv_lines(table.columns, table.written(rows))))
        wrote(len(rows))

    _write_into(folder, ((f"{table.name}.csv", partial(put, table)) for table in tables))


def write_parquet(folder: Path, tables: Iterable[WrittenTable], wrote: Callable[[int], None]) -> None:
    """Write `NAME.parquet` for each table as `write_csv` does (extra `data`). Raises
    MissingExtraError too.
    """
    parquet = extra_module("pyarrow.parquet", "data")

    def put(table: WrittenTable, stream: IO[bytes]) -> None:
        content = table.arrow()
        parquet.write_table(content, stream)
        wrote(content.num_rows)

    _write_into(folder, ((f"{table.name}.parquet", partial(put, table)) for table in tables))


def _write_into(folder: Path, files: Iterable[tuple[str, Callable[[IO[bytes]], None]]]) -> None:
    with new_folder(folder):
        write_files((folder / name, put) for name, put in files)


_TYPES: dict[ColumnKind, str] = {"integer": " INTEGER NOT NULL", "any": ""}
"""The types of SQLite that are not of texts."""


def _text(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime.datetime) else str(value)


def _has_form(kind: ColumnKind) -> bool:
    return kind not in ("word", "integer", "mixed", "any")


def _duckdb_type(kind: ColumnKind) -> str:
    if kind.startswith(("decimal", "percent")):
        digits = form_of_kind(kind).digits
        return f"DECIMAL({max(19, digits)}, {digits})"
    return {"integer": "BIGINT", "date": "DATE", "time": "TIMESTAMP"}.get(kind, "VARCHAR")


def write_sqlite(path: Path, tables: Iterable[WrittenTable], wrote: Callable[[int], None]) -> None:
    """Write the tables into an SQLite database, which is created if necessary.

    They replace tables with the same names and columns. A table with other columns is refused. Raises as
    `write_csv` does.
    """
    require_writable(path)
    is_new = not path.exists()
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            for table in tables:
                _make_room(connection, path, table)
                columns = ", ".join(
                    f"{_quoted(name)}{_TYPES.get(kind, ' TEXT NOT NULL')}"
                    for name, kind in zip(table.columns, table.kinds, strict=True)
                )
                connection.execute(f"CREATE TABLE {_quoted(table.name)} ({columns})")
                rows = table.rows()
                places = ", ".join("?" * len(table.columns))
                connection.executemany(
                    f"INSERT INTO {_quoted(table.name)} VALUES ({places})",  # noqa: S608
                    table.written(rows),
                )
                wrote(len(rows))
            connection.execute("COMMIT")
    except BaseException as problem:
        if is_new:
            path.unlink(missing_ok=True)
        if isinstance(problem, sqlite3.Error | UnicodeEncodeError):
            raise WritingError(errno.EIO, str(problem), str(path)) from None
        raise


def write_duckdb(path: Path, tables: Iterable[WrittenTable], wrote: Callable[[int], None]) -> None:
    """Write the tables into a DuckDB database as `write_sqlite` does (extra `data`). Raises MissingExtraError
    too.
    """
    duckdb = extra_module("duckdb", "data")
    require_writable(path)
    is_new = not path.exists()
    try:
        with closing(duckdb.connect(str(path))) as connection:
            connection.execute("BEGIN")
            for table in tables:
                _make_room(connection, path, table)
                content = table.arrow()
                connection.register("written by hornbook", content)
                if "any" in table.kinds:
                    connection.execute(f'CREATE TABLE {_quoted(table.name)} AS FROM "written by hornbook"')
                else:
                    columns = ", ".join(
                        f"{_quoted(name)} {_duckdb_type(kind)} NOT NULL"
                        for name, kind in zip(table.columns, table.kinds, strict=True)
                    )
                    connection.execute(f"CREATE TABLE {_quoted(table.name)} ({columns})")
                    connection.execute(f'INSERT INTO {_quoted(table.name)} FROM "written by hornbook"')
                connection.unregister("written by hornbook")
                wrote(content.num_rows)
            connection.execute("COMMIT")
    except BaseException as problem:
        if is_new:
            path.unlink(missing_ok=True)
            path.with_name(f"{path.name}.wal").unlink(missing_ok=True)
        if isinstance(problem, duckdb.Error):
            raise WritingError(errno.EIO, str(problem).partition("\n")[0], str(path)) from None
        raise


def _make_room(connection: Any, path: Path, table: WrittenTable) -> None:
    """Drop the table of an earlier run. Raises WritingError if it has other columns."""
    if isinstance(connection, sqlite3.Connection):
        query = "SELECT name FROM pragma_table_info(?)"
    else:
        query = (
            "SELECT column_name FROM information_schema.columns WHERE table_catalog = current_database()"
            " AND table_schema = 'main' AND lower(table_name) = lower(?) ORDER BY ordinal_position"
        )
    names = tuple(name for (name,) in connection.execute(query, [table.name]).fetchall())
    if names and names != table.columns:
        reason = (
            f"the table `{table.name}` is there with other columns ({', '.join(names)}); name another file"
        )
        raise WritingError(errno.EEXIST, reason, str(path))
    connection.execute(f"DROP TABLE IF EXISTS {_quoted(table.name)}")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
