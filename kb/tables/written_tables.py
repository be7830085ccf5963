"""Tables that are written: CSV and Parquet as a folder of files, or a database of SQLite or DuckDB.

Always true: all of the tables are written, or none; files and tables of other names are left as they are.
"""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Literal

from hornbook.kb.sources.extras import extra_module
from hornbook.kb.tables.answers import Row, written
from hornbook.kb.tables.csv_lines import csv_lines
from hornbook.kb.text.writing import WritingError, must_have_place, new_folder, write_files

if TYPE_CHECKING:
    import pyarrow

ColumnKind = Literal["word", "integer", "mixed", "any"]
"""What a column holds; of `any`, whatever its cells are, and there may be none."""


@dataclass(frozen=True, slots=True)
class WrittenTable:
    """A table with a name, the names of its columns and what they hold. Its content is made when it is written: as rows, or
    for Parquet as an Arrow table.
    """

    name: str
    columns: tuple[str, ...]
    kinds: tuple[ColumnKind, ...]
    rows: Callable[[], Sequence[Row]]
    arrow: Callable[[], pyarrow.Table]

    def written(self, rows: Iterable[Row]) -> Iterable[Row]:
        """Its rows as texts have them."""
        return written(rows, [kind == "mixed" for kind in self.kinds])


def write_csv(folder: Path, tables: Iterable[WrittenTable], wrote: Callable[[int], None]) -> None:
    """Writes `NAME.csv` for each table into a folder, which is made if it is not there, below a row with the names of its columns.
    `wrote` is told how many rows each has.

    Raises WritingError, and what the content of a table raises; then all files are as they were.
    """

    def put(table: WrittenTable, stream: IO[bytes]) -> None:
        rows = table.rows()
        stream.writelines(map(str.encode, csv_lines(table.columns, table.written(rows))))
        wrote(len(rows))

    _write_into(folder, ((f"{table.name}.csv", partial(put, table)) for table in tables))


def write_parquet(folder: Path, tables: Iterable[WrittenTable], wrote: Callable[[int], None]) -> None:
    """The same with `NAME.parquet` (extra `data`); raises MissingExtraError too."""
    parquet = extra_module("pyarrow.parquet", "data")

    def put(table: WrittenTable, stream: IO[bytes]) -> None:
        content = table.arrow()
        parquet.write_table(content, stream)
        wrote(content.num_rows)

    _write_into(folder, ((f"{table.name}.parquet", partial(put, table)) for table in tables))


def _write_into(folder: Path, files: Iterable[tuple[str, Callable[[IO[bytes]], None]]]) -> None:
    with new_folder(folder):
        write_files((folder / name, put) for name, put in files)


_TYPES: dict[ColumnKind, str] = {
    "integer": " INTEGER NOT NULL",
    "word": " TEXT NOT NULL",
    "mixed": " TEXT NOT NULL",
    "any": "",
}


def write_sqlite(path: Path, tables: Iterable[WrittenTable], wrote: Callable[[int], None]) -> None:
    """Writes the tables into a SQLite database, which is made if it is not there, in the place of tables of the same names and
    columns; one with other columns is refused. Raises as `write_csv` does.
    """
    must_have_place(path)
    is_new = not path.exists()
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            for table in tables:
                _make_room(connection, path, table)
                columns = ", ".join(
                    f"{_quoted(name)}{_TYPES[kind]}"
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
    """The same with a DuckDB database (extra `data`); raises MissingExtraError too."""
    duckdb = extra_module("duckdb", "data")
    must_have_place(path)
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
                        f"{_quoted(name)} {'BIGINT' if kind == 'integer' else 'VARCHAR'} NOT NULL"
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
    """Takes away what an earlier run wrote. Raises WritingError where it is something else."""
    if isinstance(connection, sqlite3.Connection):
        asked = "SELECT name FROM pragma_table_info(?)"
    else:
        asked = (
            "SELECT column_name FROM information_schema.columns WHERE table_catalog = current_database()"
            " AND table_schema = 'main' AND lower(table_name) = lower(?) ORDER BY ordinal_position"
        )
    names = tuple(name for (name,) in connection.execute(asked, [table.name]).fetchall())
    if names and names != table.columns:
        reason = (
            f"the table `{table.name}` is there with other columns ({', '.join(names)}); name another file"
        )
        raise WritingError(errno.EEXIST, reason, str(path))
    connection.execute(f"DROP TABLE IF EXISTS {_quoted(table.name)}")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
