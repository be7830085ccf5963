"""Tables in files without regard to predicates, in Arrow batches.

Invariants: A table is read in the same order each time, so that row numbers are stable. Tables are never
written. A cell of a CSV is its text with its blanks. A column of SQLite, JSON or a sheet has the single type
of its values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import closing
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hornbook.kb.sources.diagnostics import did_you_mean
from hornbook.kb.sources.extras import extra_module
from hornbook.kb.sources.files import why_no_file
from hornbook.kb.tables.database_files import (
    DATABASE_SUFFIXES,
    JSON_SUFFIXES,
    WORKBOOK_SUFFIXES,
    is_database,
    is_workbook,
)
from hornbook.kb.tables.databases import Sqlite, opened_database, quoted
from hornbook.kb.tables.readers.csv_rows import CsvRows, csv_rows
from hornbook.kb.tables.readers.untyped_rows import UntypedRows, kind_of, rows_of_json, rows_of_sheet
from hornbook.kb.tables.table_facts import TableError
from hornbook.kb.tables.tables import CSV_DELIMITERS, PARQUET_SUFFIXES, file_and_table
from hornbook.kb.text.characters import why_not_unicode
from hornbook.kb.text.counts import counted
from hornbook.kb.text.lines import first_line
from hornbook.matcher.program.dataclass import dataclass

if TYPE_CHECKING:
    import pyarrow

_READABLE = (*CSV_DELIMITERS, *PARQUET_SUFFIXES, *JSON_SUFFIXES, *WORKBOOK_SUFFIXES, *DATABASE_SUFFIXES)
_BATCH = 10_000
_TYPES = {
    frozenset(): "null",
    frozenset({"integer"}): "int64",
    frozenset({"real"}): "float64",
    frozenset({"integer", "real"}): "float64",
    frozenset({"text"}): "string",
    frozenset({"blob"}): "binary",
    frozenset({"boolean"}): "bool_",
}
"""The Arrow type of a column, by the types of its values."""


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A table in a file. `batches` reads it from the beginning, in batches of a given size, and raises
    TableError.
    """

    source: str
    schema: pyarrow.Schema
    rows: int
    batches: Callable[[int], Iterator[pyarrow.RecordBatch]]


def stored_table(place: str) -> StoredTable:
    """Return the table of `FILE` or `FILE::TABLE`. The only table of a database or workbook needs no name.

    Raises TableError if there is none or it cannot be read, and MissingExtraError.
    """
    path, table = file_and_table(place)
    if (reason := why_no_file(path)) is not None:
        raise TableError(str(path), reason)
    suffix = path.suffix.lower()
    if suffix in CSV_DELIMITERS:
        return _csv(path, CSV_DELIMITERS[suffix])
    if suffix in PARQUET_SUFFIXES:
        return _parquet(path)
    if is_database(path):
        return _of_database(path, table)
    if is_workbook(path):
        return _of_rows(rows_of_sheet(path, table))
    if suffix in JSON_SUFFIXES:
        return _of_rows(rows_of_json(path))
    raise TableError(str(path), f"a table's name ends in {', '.join(_READABLE[:-1])} or {_READABLE[-1]}")


def _parquet(path: Path) -> StoredTable:
    parquet = extra_module("pyarrow.parquet", "data")

    def unreadable(problem: Exception) -> TableError:
        reason = first_line(problem)
        return TableError(str(path), f"this cannot be read as Parquet: {reason}")

    def batches(size: int) -> Iterator[pyarrow.RecordBatch]:
        try:
            with parquet.ParquetFile(path) as file:
                yield from file.iter_batches(size)
        except (OSError, ValueError) as problem:
            raise unreadable(problem) from None

    try:
        with parquet.ParquetFile(path) as file:
            return StoredTable(str(path), file.schema_arrow, file.metadata.num_rows, batches)
    except (OSError, ValueError) as problem:
        raise unreadable(problem) from None


def _csv(path: Path, delimiter: str) -> StoredTable:
    arrow = extra_module("pyarrow", "data")
    read = csv_rows(path, delimiter)
    first = next(read, None)
    if first is None:
        raise TableError(str(path), "the file is empty; its first row names the columns")
    header = [name.strip() for name in first.cells[0]]
    _must_be_unicode(first, header, path)
    schema = arrow.schema([(name, arrow.string()) for name in header])
    # The first result of csv_rows is the header alone.
    rows = sum(len(_cells(batch, header, path)) for batch in read)

    def batches(size: int) -> Iterator[pyarrow.RecordBatch]:
        read = csv_rows(path, delimiter)
        next(read, None)
        cells = (_cells(batch, header, path) for batch in read)
        return _of_size((_batch(rows, schema) for rows in cells), size)

    return StoredTable(str(path), schema, rows, batches)


def _cells(rows: CsvRows, header: Sequence[str], path: Path) -> Sequence[Sequence[str]]:
    """Return rows of text, after checking their width and encoding. Raises TableError."""
    for number, row in zip(rows.numbers, rows.cells, strict=True):
        if len(row) != len(header):
            raise TableError(
                str(path),
                f"row {number} has {counted(len(row), 'cell')}, and the first row names {len(header)}",
            )
    _must_be_unicode(rows, header, path)
    return rows.cells


def _must_be_unicode(rows: CsvRows, header: Sequence[str], path: Path) -> None:
    """Raise TableError for a cell with bytes that are not UTF-8."""
    if why_not_unicode(rows.text) is None:
        return
    for number, row in zip(rows.numbers, rows.cells, strict=True):
        for name, cell in zip(header, row, strict=True):
            problem = why_not_unicode(cell)
            if problem is not None:
                raise TableError(str(path), f"row {number}, column `{name}`: {problem}")


def _of_database(path: Path, named: str) -> StoredTable:
    with opened_database(path) as database:
        table = _selected_table(path, named, database.tables())
        key = database.key(table)
        order = "" if key is None else f" ORDER BY {quoted(key)}"
        select = f"SELECT * FROM {quoted(table)}"  # noqa: S608
        if isinstance(database, Sqlite):
            schema = _schema_of_sqlite(database, path, table)
        else:
            schema = _stream(database.connection, f"{select} LIMIT 0").schema
        (rows,) = database.connection.execute(f"SELECT count(*) FROM {quoted(table)}").fetchone()  # noqa: S608

    def batches(size: int) -> Iterator[pyarrow.RecordBatch]:
        with opened_database(path) as database:
            if isinstance(database, Sqlite):
                with closing(database.connection.execute(f"{select}{order}")) as cursor:
                    fetched = iter(lambda: cursor.fetchmany(_BATCH), [])
                    yield from _of_size((_batch(each, schema) for each in fetched), size)
            else:
                yield from _of_size(_stream(database.connection, f"{select}{order}"), size)

    return StoredTable(f"{path}::{table}", schema, rows, batches)


def _stream(connection: Any, query: str) -> pyarrow.RecordBatchReader:
    """Return the result of a DuckDB query."""
    reader = extra_module("pyarrow", "data").RecordBatchReader
    found: pyarrow.RecordBatchReader = reader.from_stream(connection.sql(query))
    return found


def _selected_table(path: Path, named: str, tables: Iterable[str]) -> str:
    """Return the name of the selected table. Raises TableError if it is missing, or if it must be named."""
    known = sorted(tables)
    if named in known:
        return named
    if named:
        hint = did_you_mean(named, known) or f"it has {', '.join(known) or 'none'}"
        raise TableError(str(path), f"there is no table `{named}` in this database; {hint}")
    if len(known) != 1:
        has = f"it has {', '.join(known)}" if known else "it has no table"
        raise TableError(str(path), f"name the table, `{path.name}::TABLE`; {has}")
    return known[0]


def _schema_of_sqlite(database: Sqlite, path: Path, table: str) -> pyarrow.Schema:
    """Return the types of the actual values of an SQLite table, whose declarations are not enforced. Raises
    TableError.
    """
    arrow = extra_module("pyarrow", "data")
    cursor = database.connection.execute(f"SELECT * FROM {quoted(table)} LIMIT 0")  # noqa: S608
    fields = []
    for name in [str(column[0]) for column in cursor.description]:
        query = f"SELECT DISTINCT typeof({quoted(name)}) FROM {quoted(table)}"  # noqa: S608
        kinds = {kind for (kind,) in database.connection.execute(query)}
        type_ = _arrow_type(kinds, f"column `{name}` of `{table}`", str(path), "cast it in a view")
        fields.append((name, getattr(arrow, type_)()))
    return arrow.schema(fields)


def _of_rows(found: UntypedRows) -> StoredTable:
    """Return a table with the types of the actual values. Raises TableError."""
    arrow = extra_module("pyarrow", "data")
    kinds: list[set[str]] = [set() for _ in found.names]
    count = 0
    for _, row in found.read():
        count += 1
        for known, cell in zip(kinds, row, strict=True):
            known.add(kind_of(cell))
    fields = [
        (name, getattr(arrow, _arrow_type(each, f"column `{name}`", found.source, "write all as text"))())
        for name, each in zip(found.names, kinds, strict=True)
    ]
    schema = arrow.schema(fields)

    def batches(size: int) -> Iterator[pyarrow.RecordBatch]:
        rows = (cells for _, cells in found.read())
        fetched = iter(lambda: list(islice(rows, _BATCH)), [])
        return _of_size((_batch(each, schema) for each in fetched), size)

    return StoredTable(found.source, schema, count, batches)


def _arrow_type(kinds: AbstractSet[str], column: str, source: str, way_out: str) -> str:
    """Return the name of the Arrow type of a column. Raises TableError if its values have several types."""
    kinds = frozenset(kinds) - {"null"}
    if kinds not in _TYPES:
        raise TableError(source, f"{column} has values of types {' and '.join(sorted(kinds))}; {way_out}")
    return _TYPES[kinds]


def _batch(rows: Sequence[Sequence[Any]], schema: pyarrow.Schema) -> pyarrow.RecordBatch:
    arrow = extra_module("pyarrow", "data")
    columns = list(zip(*rows, strict=True)) or [() for _ in schema]
    arrays = [arrow.array(column, field.type) for column, field in zip(columns, schema, strict=True)]
    return arrow.record_batch(arrays, schema=schema)


def _of_size(batches: Iterable[pyarrow.RecordBatch], size: int) -> Iterator[pyarrow.RecordBatch]:
    """Yield the same rows in batches of a given size. The last one may be smaller."""
    arrow = extra_module("pyarrow", "data")
    pending: list[pyarrow.RecordBatch] = []
    for batch in chain.from_iterable(_slices(each, size) for each in batches):
        pending.append(batch)
        while sum(each.num_rows for each in pending) >= size:
            whole = arrow.Table.from_batches(pending).combine_chunks().to_batches()[0]
            yield whole.slice(0, size)
            pending = [whole.slice(size)] if whole.num_rows > size else []
    if pending:
        yield from arrow.Table.from_batches(pending).combine_chunks().to_batches()


def _slices(batch: pyarrow.RecordBatch, size: int) -> Iterator[pyarrow.RecordBatch]:
    return (batch.slice(start, size) for start in range(0, batch.num_rows, size))
