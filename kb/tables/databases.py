"""Tables in database files of SQLite and DuckDB (extra `data`). Their rows are identified by keys.

Databases are never written here.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from hornbook.kb.ast.theory import Vocabulary
from hornbook.kb.sources.diagnostics import did_you_mean
from hornbook.kb.sources.extras import extra_module, installation
from hornbook.kb.sources.files import APPLICATION_ID, why_no_file
from hornbook.kb.tables.picked_columns import by_name
from hornbook.kb.tables.readers.arrow_columns import arrow_batches
from hornbook.kb.tables.readers.sqlite_types import declared_values
from hornbook.kb.tables.readers.table_format import ISO, TableFormat
from hornbook.kb.tables.table_facts import Batch, RowBatch, TableError, TableFacts, TableShape, collect
from hornbook.kb.tables.table_values import from_value
from hornbook.kb.text.lines import first_line
from hornbook.matcher.program.dataclass import dataclass

_BATCH = 1_000
_HUGE_INTEGERS = ("HUGEINT", "UHUGEINT")
"""The types of integers, such as sums, that Arrow has as decimal numbers."""
_INTEGERS = ("INTEGER", "BIGINT", "SMALLINT", "TINYINT", "INT")


def is_store_database(path: Path) -> bool:
    """Return whether a database is a store. It may be open in this process: SQLite itself reads it, so no
    lock is lost.
    """
    if path.suffix.lower() == ".duckdb":
        return False
    try:
        with closing(_connected(path)) as connection:
            return _is_store(connection)
    except sqlite3.Error:
        return False


def database_tables(path: Path) -> list[str]:
    """Return the names of the tables and views of a database, sorted. Raises TableError."""
    with opened_database(path) as database:
        return sorted(database.tables())


def read_database(
    path: Path,
    table: str,
    predicate: str,
    vocabulary: Vocabulary,
    *,
    columns: Sequence[str] | None = None,
    skip_bad: bool = False,
    table_format: TableFormat = ISO,
) -> TableFacts:
    """Return the facts of a table or view of a database. `columns` selects its columns, as for `read_rows`.

    A row is identified by the table's integer key, or by `rowid` without one. Rows of a view count from 1.
    Raises TableError.
    """
    shape = TableShape.of(predicate, vocabulary, f"{path}:{table}", table_format)
    with opened_database(path) as database:
        known = database.tables()
        if table not in known:
            hint = did_you_mean(table, known) or f"it has {', '.join(sorted(known)) or 'none'}"
            raise TableError(str(path), f"there is no table `{table}` in this database; {hint}")
        key = database.key(table)
        what, order = ("*", "") if key is None else (f"{quoted(key)}, *", f" ORDER BY {quoted(key)}")
        names, rows = database.read(f"SELECT {what} FROM {quoted(table)}{order}", has_key=key is not None)  # noqa: S608
        meant, batches = by_name(names, rows, shape, columns)
        if isinstance(database, Sqlite):
            types = database.declared_types(table)
            batches = declared_values(batches, [types[name] for name in meant], shape.sorts)
        return collect(batches, replace(shape.named(meant), key=key), from_value, skip_bad=skip_bad)


def _batches(cursor: Any, *, has_key: bool) -> Iterator[RowBatch]:
    first = 1
    while rows := cursor.fetchmany(_BATCH):
        if has_key:
            yield RowBatch([row[0] for row in rows], [tuple(row[1:]) for row in rows])
        else:
            yield RowBatch(range(first, first + len(rows)), rows)
        first += len(rows)


def _with_integers(batch: Any, places: Sequence[int]) -> Any:
    """Return a record batch with integers of 64 bits at some places, unless one needs more."""
    arrow = extra_module("pyarrow", "data")
    for place in places:
        with suppress(arrow.ArrowInvalid):
            column = batch.column(place).cast(arrow.int64())
            batch = batch.set_column(place, batch.schema.names[place], column)
    return batch


@contextmanager
def opened_database(path: Path) -> Iterator[Sqlite | DuckDB]:
    """Open a database for reading. Its errors are converted to TableError."""
    if (reason := why_no_file(path)) is not None:
        raise TableError(str(path), reason)
    is_duckdb = path.suffix.lower() == ".duckdb"
    try:
        with closing(_connected_duckdb(path) if is_duckdb else _connected(path)) as connection:
            if not is_duckdb and _is_store(connection):
                way_out = "it has theories and facts of its own: name it in the place of THEORY"
                raise TableError(str(path), f"this is a store of Hornbook's; {way_out}")
            if is_duckdb:
                with ExitStack() as readers:
                    yield DuckDB(connection, readers)
            else:
                yield Sqlite(connection)
    except (TableError, MemoryError):
        raise
    except Exception as problem:  # noqa: BLE001  # both libraries have errors of their own
        reason = first_line(problem)
        raise TableError(str(path), f"this cannot be read as a database: {reason}") from None


def _connected(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    # SQLite does not check its texts. One that is not UTF-8 is refused later with its row and column.
    connection.text_factory = _decoded
    return connection


def _decoded(text: bytes) -> str:
    return text.decode(errors="surrogateescape")


def _is_store(connection: sqlite3.Connection) -> bool:
    (number,) = connection.execute("PRAGMA application_id").fetchone()
    return bool(number == APPLICATION_ID)


def _connected_duckdb(path: Path) -> Any:
    try:
        import duckdb  # noqa: PLC0415 - an extra
    except ImportError:
        way_out = f"it is read by DuckDB, which is not installed: {installation('data')}"
        raise TableError(str(path), way_out) from None
    return duckdb.connect(str(path), read_only=True)


@dataclass(frozen=True, slots=True)
class Sqlite:
    connection: sqlite3.Connection

    def tables(self) -> dict[str, bool]:
        """Return the names of tables and views, and whether each is a table."""
        found = self.connection.execute(
            "SELECT name, type = 'table' FROM sqlite_master WHERE type IN ('table', 'view')"
        )
        return {name: bool(is_table) for name, is_table in found if not name.startswith("sqlite_")}

    def read(self, query: str, *, has_key: bool) -> tuple[list[str], Iterator[Batch]]:
        """Return the names of the columns of a query and its rows. With `has_key`, its first column has the
        numbers of the rows.
        """
        cursor = self.connection.execute(query)
        return [str(column[0]) for column in cursor.description][has_key:], _batches(cursor, has_key=has_key)

    def declared_types(self, table: str) -> dict[str, str]:
        """Return the declared type of each column, as it is written."""
        found = self.connection.execute("SELECT name, type FROM pragma_table_xinfo(?)", [table])
        return {str(name): str(kind) for name, kind in found}

    def key(self, table: str) -> str | None:
        """Return the integer column that identifies the rows of a table, or None."""
        if not self.tables()[table]:
            return None
        columns = self.connection.execute(
            "SELECT name, type, pk FROM pragma_table_info(?)", [table]
        ).fetchall()
        names = {name.lower() for name, _, _ in columns}
        keys = [(name, kind.upper()) for name, kind, place in columns if place]
        for rowid in ("rowid", "_rowid_", "oid"):
            if rowid not in names:
                with suppress(sqlite3.OperationalError):  # a table WITHOUT ROWID
                    self.connection.execute(f"SELECT {rowid} FROM {quoted(table)} LIMIT 0")  # noqa: S608
                    is_key = len(keys) == 1 and keys[0][1] == "INTEGER"
                    return keys[0][0] if is_key and self._are_equal(keys[0][0], rowid, table) else rowid
        return None

    def _are_equal(self, key: str, rowid: str, table: str) -> bool:
        """Return whether a key equals the row numbers, as most integer keys do."""
        others = f"SELECT 1 FROM {quoted(table)} WHERE {quoted(key)} IS NOT {rowid} LIMIT 1"  # noqa: S608
        return self.connection.execute(others).fetchone() is None


@dataclass(frozen=True, slots=True)
class DuckDB:
    connection: Any
    readers: ExitStack
    """The readers of results, which keep the file open until they are closed."""

    def read(self, query: str, *, has_key: bool) -> tuple[list[str], Iterator[Batch]]:
        """Return the names and the rows as `Sqlite.read` does."""
        relation = self.connection.sql(query)
        huge = [place for place, kind in enumerate(relation.types) if str(kind) in _HUGE_INTEGERS]
        reader = extra_module("pyarrow", "data").RecordBatchReader.from_stream(relation)
        self.readers.callback(reader.close)
        batches = (_with_integers(batch, huge) for batch in reader) if huge else reader
        return reader.schema.names[has_key:], arrow_batches(batches, has_numbers=has_key)

    def tables(self) -> dict[str, bool]:
        found = self.connection.execute(
            "SELECT table_name, table_type = 'BASE TABLE' FROM information_schema.tables"
            " WHERE table_catalog = current_database() AND table_schema = 'main'"
        ).fetchall()
        return dict(found)

    def key(self, table: str) -> str | None:
        if not self.tables()[table]:
            return None
        columns = self.connection.execute(
            "SELECT name, type, pk FROM pragma_table_info(?)", [quoted(table)]
        ).fetchall()
        keys = [(name, kind) for name, kind, is_key in columns if is_key]
        if len(keys) == 1 and keys[0][1] in _INTEGERS:
            return str(keys[0][0])
        return None if "rowid" in {name.lower() for name, _, _ in columns} else "rowid"


def quoted(name: str) -> str:
    """Return a name in quotes for SQL."""
    return '"' + name.replace('"', '""') + '"'
