"""Facts from tables: CSV, Parquet, and SQL queries.

A table belongs to one predicate. Its columns are the predicate's columns, in the same order, and every value
must belong to its column's sort. The result is facts, or a TableError that lists each bad row with its
number, its column and the reason. Bad rows are left out only with `skip_bad`.

CSV has only text, so a cell is a number if its column is declared numeric. Parquet and SQL have typed cells,
which are never converted. A CSV does not declare whether its first row is a header: the row must contain an
expected name, or the caller gives the names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from glob import escape
from itertools import islice
from pathlib import Path
from typing import Any

from hornbook.kb.ast.plain_values import described
from hornbook.kb.ast.theory import Vocabulary
from hornbook.kb.sources.extras import extra_module, installation
from hornbook.kb.sources.files import why_no_file
from hornbook.kb.tables.column_names import HOLDS, column_names
from hornbook.kb.tables.database_files import (
    DATABASE_SUFFIXES,
    JSON_SUFFIXES,
    WORKBOOK_SUFFIXES,
    has_tables,
    is_database,
    is_workbook,
)
from hornbook.kb.tables.databases import read_database
from hornbook.kb.tables.headers import check_header
from hornbook.kb.tables.picked_columns import by_name
from hornbook.kb.tables.readers.arrow_columns import arrow_batches
from hornbook.kb.tables.readers.csv_rows import csv_batches
from hornbook.kb.tables.readers.table_format import ISO, TableFormat
from hornbook.kb.tables.table_facts import (
    BadRow,
    Batch,
    RowBatch,
    TableError,
    TableFacts,
    TableShape,
    collect,
)
from hornbook.kb.tables.table_values import from_python, from_text, from_value
from hornbook.kb.text.characters import why_not_unicode
from hornbook.kb.text.lines import first_line

__all__ = [
    "BadRow",
    "TableError",
    "TableFacts",
    "load_table",
    "read_csv",
    "read_excel",
    "read_facts",
    "read_json",
    "read_parquet",
    "read_rows",
    "read_sql",
]

_BATCH = 1_000
"""The number of rows in one read. With more, the garbage collector would examine each of them repeatedly."""
CSV_DELIMITERS = {".csv": ",", ".tsv": "\t"}
"""The delimiter of a CSV, by the ending of its name."""
PARQUET_SUFFIXES = (".parquet", ".pq")
TABLE_SUFFIXES = (*CSV_DELIMITERS, ".facts", *PARQUET_SUFFIXES, *JSON_SUFFIXES)
"""The endings of file names of tables."""
_ENDINGS = (*TABLE_SUFFIXES, *WORKBOOK_SUFFIXES, *DATABASE_SUFFIXES)
ENDINGS = f"{', '.join(_ENDINGS[:-1])} or {_ENDINGS[-1]}"
"""The endings of tables, workbooks and databases, in words."""


def load_table(
    spec: str,
    vocabulary: Vocabulary,
    *,
    skip_bad: bool = False,
    header: bool = True,
    table_format: TableFormat = ISO,
) -> TableFacts:
    """Return the facts of `PREDICATE=FILE`. The file's suffix (.csv, .tsv, .facts, .parquet, .sqlite,
    .duckdb, …) is its format.

    - `PREDICATE=FILE::TABLE` names the table of a database, or the sheet of a workbook. The default is the
      name of the predicate.
    - `PREDICATE(NAME, …)=FILE` gives the first row of a CSV, or selects columns of Parquet or of a database.
    - `PREDICATE()=FILE` is a CSV without a header.
    - `PREDICATE(PATH, …)=FILE` names the columns of JSON by their keys, such as `lines.price`. A key with a
      dot or a comma is in quotes.

    `header` and `table_format` are the same as for `read_csv`. Raises TableError.
    """
    predicate, equals, file = spec.partition("=")
    predicate, columns = _named_columns(predicate.strip())
    path, table = file_and_table(file.strip())
    if not equals or not predicate or not file.strip():
        raise TableError(
            spec,
            "this is not PREDICATE=FILE, such as `colour=board.csv`, or a folder of tables, or a database",
        )
    suffix = path.suffix.lower()
    if suffix in CSV_DELIMITERS:
        return read_csv(
            path,
            predicate,
            vocabulary,
            skip_bad=skip_bad,
            header=header and columns != (),
            columns=columns,
            delimiter=CSV_DELIMITERS[suffix],
            table_format=table_format,
        )
    if suffix == ".facts":
        if columns:
            raise TableError(spec, "a .facts file has no header; leave the names out")
        return read_facts(path, predicate, vocabulary, skip_bad=skip_bad, table_format=table_format)
    if suffix in PARQUET_SUFFIXES:
        if columns == ():
            raise TableError(spec, "a Parquet file has names; leave the parentheses out")
        return read_parquet(
            path, predicate, vocabulary, columns=columns, skip_bad=skip_bad, table_format=table_format
        )
    if is_workbook(path):
        return read_excel(
            path,
            predicate,
            vocabulary,
            sheet=table,
            skip_bad=skip_bad,
            header=header and columns != (),
            columns=columns or None,
            table_format=table_format,
        )
    if is_database(path):
        if columns == ():
            raise TableError(spec, "a table of a database has names; leave the parentheses out")
        return read_database(
            path,
            table or predicate,
            predicate,
            vocabulary,
            columns=columns,
            skip_bad=skip_bad,
            table_format=table_format,
        )
    if suffix in JSON_SUFFIXES:
        if columns == ():
            raise TableError(spec, "the columns of a JSON file are keys; leave the parentheses out")
        return read_json(
            path, predicate, vocabulary, columns=columns, skip_bad=skip_bad, table_format=table_format
        )
    raise TableError(file, f"a table's name ends in {ENDINGS}")


def file_of(spec: str) -> Path:
    """Return the file of `PREDICATE=FILE` or `PREDICATE=FILE::TABLE`."""
    return file_and_table(spec.partition("=")[2].strip())[0]


def predicate_of(spec: str) -> str:
    """Return the predicate of `PREDICATE=FILE` or `PREDICATE(NAME, …)=FILE`."""
    return _named_columns(spec.partition("=")[0].strip())[0]


def file_and_table(file: str) -> tuple[Path, str]:
    """Return a file, and the name of its table or sheet, or an empty string."""
    path, parted, table = file.rpartition("::")
    return (Path(path), table) if parted and has_tables(Path(path)) else (Path(file), "")


def _named_columns(predicate: str) -> tuple[str, tuple[str, ...] | None]:
    """Return the predicate and the column names of `parent(from, to)`, no names for `parent()`, and None
    without parentheses.
    """
    name, opened, names = predicate.partition("(")
    if not opened or not names.endswith(")"):
        return predicate, None
    inside = names.removesuffix(")").strip()
    return name.strip(), tuple(column.strip() for column in _columns(inside)) if inside else ()


def read_csv(
    path: str | Path,
    predicate: str,
    vocabulary: Vocabulary,
    *,
    skip_bad: bool = False,
    header: bool = True,
    columns: Sequence[str] | None = None,
    delimiter: str = ",",
    table_format: TableFormat = ISO,
) -> TableFacts:
    """Return the facts of a CSV file (UTF-8). Its first row is a header, unless `header` is False.

    Columns are taken in order. The first row must clearly be a header. It must be equal to `columns`. Without
    these, one of its cells must contain the name of the predicate or of a column's sort as a word. Blanks
    around an unquoted cell and empty lines are ignored. The delimiter of `table_format` has precedence.
    Raises TableError.
    """
    path = Path(path)
    shape = TableShape.of(predicate, vocabulary, str(path), table_format)
    batches: Iterator[Batch] = csv_batches(path, table_format.delimiter or delimiter)
    if not header:
        return collect(batches, shape, from_text, skip_bad=skip_bad)
    first = next((row for batch in batches for row in batch.rows()), ())
    names = tuple(cell or "" for cell in first)
    for place, name in enumerate(names, 1):
        problem = why_not_unicode(name)
        if problem is not None:
            raise TableError(shape.source, f"row 1, column {place}: {problem}")
    check_header(names, None if columns is None else tuple(columns), shape)
    meant: Sequence[str] = names
    if columns is None:
        meant, batches = by_name(names, batches, shape, None)
    found = collect(batches, shape.named(meant), from_text, skip_bad=skip_bad)
    return replace(found, header=names)


def read_excel(
    path: str | Path,
    predicate: str,
    vocabulary: Vocabulary,
    *,
    sheet: str = "",
    skip_bad: bool = False,
    header: bool = True,
    columns: Sequence[str] | None = None,
    table_format: TableFormat = ISO,
) -> TableFacts:
    """Return the facts of a sheet of an Excel workbook (extra `excel`). Its first row that is not empty is a
    header, unless `header` is False.

    Without the name of a sheet, it is the sheet called as the predicate, or the only one. `columns` selects
    columns by name, as for `read_rows`. Without them, the header is checked as that of a CSV. Rows have their
    numbers in the sheet. Raises TableError.
    """
    from hornbook.kb.tables.readers.workbooks import SheetRows, from_cell  # noqa: PLC0415 - slow to import

    path = Path(path)
    shape = TableShape.of(predicate, vocabulary, str(path), table_format)
    rows = SheetRows(path, sheet, predicate)
    shape = replace(shape, source=f"{path}:{rows.name}")
    names, batches = tuple(rows.names()), rows.batches(header=header)
    letters = rows.letters()
    if not header:
        return collect(batches, replace(shape, names=tuple(letters)), from_cell, skip_bad=skip_bad)
    if columns is None:
        check_header(names, None, shape)
    meant, picked = by_name(names, batches, shape, columns)
    if list(meant) != list(names):
        letters = [letters[names.index(name)] for name in meant]
    labels = tuple(f"`{name}` ({letter})" for name, letter in zip(meant, letters, strict=True))
    found = collect(picked, replace(shape, names=labels), from_cell, skip_bad=skip_bad)
    return found if columns is not None else replace(found, header=names)


def read_facts(
    path: str | Path,
    predicate: str,
    vocabulary: Vocabulary,
    *,
    skip_bad: bool = False,
    table_format: TableFormat = ISO,
) -> TableFacts:
    """Return the facts of a file in the format of Datalog engines (`.facts`, UTF-8).

    Cells are separated by tabs, without header or quotes. Raises TableError.
    """
    shape = TableShape.of(predicate, vocabulary, str(path), table_format)
    batches = csv_batches(Path(path), "\t", quoted=False)
    return collect(batches, shape, from_text, skip_bad=skip_bad)


def read_json(
    path: str | Path,
    predicate: str,
    vocabulary: Vocabulary,
    *,
    columns: Sequence[str] | None = None,
    skip_bad: bool = False,
    table_format: TableFormat = ISO,
) -> TableFacts:
    """Return the facts of a JSON file with an object or a list of objects, or of JSON Lines (UTF-8).

    The name of a column is the path of keys to its value, such as `address.city`. A key with a dot is in
    quotes, which are doubled inside: `"a.b".city`. A list on the path gives a row for each of its elements.
    `columns` are these names, in the order of the predicate's columns. Without them, the keys of each object
    are the names of `KnowledgeBase.table`. A missing key and `null` are missing cells. Rows count from 1, and
    in JSON Lines they are lines. Raises TableError.
    """
    from hornbook.kb.tables.readers.json_records import JsonRows  # noqa: PLC0415 - slow to import

    shape = TableShape.of(predicate, vocabulary, str(path), table_format)
    own = column_names([sort.name for sort in shape.sorts]) or (HOLDS,)
    names = own if columns is None else tuple(columns)
    if not shape.fits(names):
        raise TableError(shape.source, shape.wrong_width(len(names)))
    rows = JsonRows(Path(path), names, are_named=columns is not None)
    return collect(rows.batches(), shape.named(names), from_python, skip_bad=skip_bad)


def read_parquet(
    path: str | Path,
    predicate: str,
    vocabulary: Vocabulary,
    *,
    columns: Sequence[str] | None = None,
    skip_bad: bool = False,
    table_format: TableFormat = ISO,
) -> TableFacts:
    """Return the facts of a Parquet file, read by DuckDB (extra `data`). `columns` is the same as for
    `read_rows`.

    Rows count from 1. Raises TableError.
    """
    shape = TableShape.of(predicate, vocabulary, str(path))
    try:
        import duckdb  # noqa: PLC0415 - an extra
    except ImportError:
        way_out = f"Parquet is read by DuckDB, which is not installed: {installation('data')}"
        raise TableError(str(path), way_out) from None
    if (reason := why_no_file(Path(path))) is not None:
        raise TableError(str(path), reason)
    try:
        # The name of a file is not a pattern, even if it looks like one.
        with duckdb.connect(":memory:") as connection:
            relation = connection.read_parquet(escape(str(path)), hive_partitioning=False)
            return read_rows(
                relation,
                predicate,
                vocabulary,
                name=shape.source,
                columns=columns,
                skip_bad=skip_bad,
                table_format=table_format,
            )
    except TableError:
        raise
    except Exception as problem:  # noqa: BLE001  # DuckDB raises various errors for a damaged file
        if "Invalid string encoding" in str(problem):
            # DuckDB does not report the row; pyarrow returns the bytes.
            batches = extra_module("pyarrow.dataset", "data").dataset(str(path), format="parquet")
            return read_rows(
                batches.scanner().to_reader(),
                predicate,
                vocabulary,
                name=shape.source,
                columns=columns,
                skip_bad=skip_bad,
                table_format=table_format,
            )
        raise TableError(str(path), f"this cannot be read as Parquet: {first_line(problem)}") from None


def read_sql(
    query: str,
    connection: Any,
    predicate: str,
    vocabulary: Vocabulary,
    *,
    columns: Sequence[str] | None = None,
    skip_bad: bool = False,
    table_format: TableFormat = ISO,
) -> TableFacts:
    """Return the facts of a query over a DB-API connection or cursor (sqlite3, psycopg, DuckDB, …).

    `columns` is the same as for `read_rows`. Rows count from 1. Raises TableError, also if the database
    refuses the query.
    """
    shape = TableShape.of(predicate, vocabulary, "query")
    cursor = connection if hasattr(connection, "fetchmany") else connection.cursor()
    try:
        # Some drivers return the cursor, some None.
        executed = cursor.execute(query) or cursor
        return read_rows(
            executed,
            predicate,
            vocabulary,
            name=shape.source,
            columns=columns,
            skip_bad=skip_bad,
            table_format=table_format,
        )
    except TableError:
        raise
    except Exception as problem:  # each driver has its own errors
        raise TableError("query", f"the database refuses it: {first_line(problem)}") from problem


def read_rows(
    source: Any,
    predicate: str,
    vocabulary: Vocabulary,
    *,
    name: str = "table",
    columns: Sequence[str] | None = None,
    skip_bad: bool = False,
    table_format: TableFormat = ISO,
) -> TableFacts:
    """Return the facts of a table in memory.

    Args:
        source: An executed cursor, a DuckDB relation, an Arrow table, record batches, a data frame, columns
            by name (`{"item": array, …}`), a NumPy array, or an iterable of rows.
        predicate: The name of the predicate.
        vocabulary: The vocabulary of the theory.
        name: The name of the table in messages.
        columns: The selected columns of the table, in the order of the predicate's. Without them, the table
            must have exactly the predicate's columns in order, or in any order with the names of
            `KnowledgeBase.table`.
        skip_bad: Whether to skip bad rows.
        table_format: How texts write numbers and dates.

    In a mixed column, Python values keep their types: the text "5" is a word. In a table with one type for
    each column, such as an Arrow table or a cursor's, the text `5` is an integer and `'5'` the word. Rows
    count from 1. Raises TableError.
    """
    shape = TableShape.of(predicate, vocabulary, name, table_format)
    names, batches = _open(source, name)
    if names is None and columns is not None:
        raise TableError(
            name, "its columns have no names; leave `columns` out, or give a table that has names"
        )
    if names is not None:
        names, batches = by_name(names, batches, shape, columns)
        shape = shape.named(names)
    is_typed = not (hasattr(source, "fetchmany") or hasattr(source, "__arrow_c_stream__"))
    return collect(batches, shape, from_python if is_typed else from_value, skip_bad=skip_bad)


# Rows


_ONE_TYPE = (
    "give each column one type; a column of words and integers is text: `5` is the integer, `'5'` the word"
)


def _open(source: Any, name: str) -> tuple[Sequence[str] | None, Iterator[Batch]]:
    """Return the names of a table's columns, if it has any, and its rows, which count from 1."""
    if hasattr(source, "fetchmany"):
        described = getattr(source, "description", None) or ()
        return [str(column[0]) for column in described] or None, _row_batches(_fetched(source), name)
    if hasattr(source, "__arrow_c_stream__"):
        reader = _arrow_reader(source, name)
        # The index of a pandas frame is not a column.
        meant = [
            (i, each) for i, each in enumerate(reader.schema) if not each.name.startswith("__index_level_")
        ]
        for _, each in meant:
            if hasattr(
                each.type, "extension_name"
            ):  # its cells would be read in Arrow's storage format, such as a number for a period
                raise TableError(
                    name, f"column `{each.name}` is of type {each.type}; cast it to text or integers"
                )
        places = [place for place, _ in meant]
        return [each.name for _, each in meant], (each.select(places) for each in arrow_batches(reader))
    if isinstance(source, Mapping):
        return [str(name) for name in source], _row_batches(_columns_as_rows(source, name), name)
    if fields := getattr(getattr(source, "dtype", None), "names", None):  # an array of records
        return list(fields), _row_batches(iter(source), name)
    return None, _row_batches(iter(source), name)


def _arrow_reader(source: Any, name: str) -> Any:
    """Return the Arrow batches of a table. Raises TableError if a data frame has cells that Arrow cannot
    represent.
    """
    arrow = extra_module("pyarrow", "data")
    try:
        return arrow.RecordBatchReader.from_stream(source)
    except (arrow.ArrowException, ValueError, TypeError, OverflowError) as problem:
        reason = "; ".join(map(str, problem.args))
        raise TableError(name, f"this cannot be read as an Arrow table: {reason}; {_ONE_TYPE}") from None


def _columns_as_rows(columns: Mapping[str, Iterable[Any]], name: str) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of columns, such as NumPy arrays. Raises TableError if the columns differ in length."""
    rows = zip(*columns.values(), strict=True)
    while True:
        try:
            row = next(rows, None)
        except ValueError:
            raise TableError(name, "its columns differ in length") from None
        if row is None:
            return
        yield row


def _fetched(cursor: Any) -> Iterator[Any]:
    while batch := cursor.fetchmany(_BATCH):
        yield from batch


def _row_batches(rows: Iterator[Any], name: str) -> Iterator[RowBatch]:
    """Yield the rows as tuples in batches. Raises TableError for an invalid row."""
    first = 1
    while batch := _batch(rows, first, name):
        yield RowBatch(range(first, first + len(batch)), batch)
        first += len(batch)


def _batch(rows: Iterator[Any], first: int, name: str) -> list[tuple[Any, ...]]:
    batch: list[tuple[Any, ...]] = []
    for row in islice(rows, _BATCH):
        try:
            cells = None if isinstance(row, str | bytes) else tuple(row)
        except TypeError:
            cells = None
        if cells is None:
            way_out = "a row is a tuple of cells, one for each column: `[(cell,), …]`"
            raise TableError(name, f"row {first + len(batch)} is {described(row)}; {way_out}")
        batch.append(cells)
    return batch


def _columns(names: str) -> list[str]:
    """Return the names of columns with commas between them. A key in quotes may have commas.

    A key in quotes begins at the beginning of a name or after a period, and has its quotes doubled. Quotes
    that do not end are characters of names.
    """
    found, start, is_quoted, may_begin = [], 0, False, True
    for place, character in enumerate(names):
        if character == '"' and (is_quoted or may_begin or names[place - 1 : place] == '"'):
            is_quoted = not is_quoted
            may_begin = False
        elif not is_quoted:
            if character == ",":
                found.append(names[start:place])
                start = place + 1
            may_begin = character in ",." or (may_begin and character.isspace())
    return names.split(",") if is_quoted else [*found, names[start:]]
