"""Facts from tables: CSV, Parquet, and whatever answers SQL.

A table belongs to one predicate: its columns are the predicate's columns, in the same order, and every value
must be of its column's sort. What comes back are facts, or a TableError that names each bad row by its
number, its column and the reason; bad rows are only ever left out where `skip_bad` asks for it.

CSV knows text only, so a cell is a number where its column is declared as one. Parquet and SQL say themselves
what is a number, and the two are never mixed up. Nor does a CSV say whether its first row names the columns: it
must name one of them, or the names that it has are given beside the file.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from glob import escape
from operator import getitem
from pathlib import Path
from typing import Any

from hornbook.kb.ast.declarations import Predicate, Sort
from hornbook.kb.ast.theory import GroundFact, Vocabulary
from hornbook.kb.sources.diagnostics import did_you_mean
from hornbook.kb.sources.extras import installation
from hornbook.kb.sources.files import why_no_file
from hornbook.kb.tables.table_values import BadCell, Column, Convert, TypedColumn, from_text, from_value
from hornbook.kb.text.escaping import on_one_line
from hornbook.matcher.program.hornbook_error import HornbookError

SHOWN_ROWS = 20
"""How many bad rows a message lists."""
_BATCH = 10_000
_SUFFIXES = {".csv": ",", ".tsv": "\t"}


@dataclass(frozen=True, slots=True)
class BadRow:
    """A row that states no fact. Rows of a file count as in a spreadsheet: from 1, the header too."""

    row: int
    reason: str
    values: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class TableFacts:
    """The facts of a table, in its order, the rows that were left out, and the first row of a CSV that was taken
    for the names of its columns.
    """

    facts: list[GroundFact] = field(default_factory=list)
    bad: list[BadRow] = field(default_factory=list)
    header: tuple[str, ...] = ()


class TableError(HornbookError):
    """A table that cannot be loaded: no such file, not of this predicate, or with bad rows.

    `bad` holds every bad row; the message shows the first.
    """

    def __init__(self, source: str, problem: str, bad: Sequence[BadRow] = ()) -> None:
        self.source = source
        self.bad = tuple(bad)
        shown = [f"  row {row.row}: {on_one_line(row.reason)}" for row in self.bad[:SHOWN_ROWS]]
        rest = len(self.bad) - len(shown)
        shown += [f"  and {rest:,} more"] if rest else []
        super().__init__("\n".join([f"{on_one_line(source)}: {problem}", *shown]))


def load_table(
    spec: str, vocabulary: Vocabulary, *, skip_bad: bool = False, header: bool = True
) -> TableFacts:
    """The facts of `PREDICATE=FILE`; the file's suffix (.csv, .tsv, .parquet) says how it is read.

    `PREDICATE(NAME, …)=FILE` says what the first row of a CSV is. `header` is as for `read_csv`. Raises TableError.
    """
    predicate, equals, file = spec.partition("=")
    predicate, columns = _named_columns(predicate.strip())
    path = Path(file.strip())
    if not equals or not predicate or not file.strip():
        raise TableError(spec, "this is not PREDICATE=FILE, such as `colour=board.csv`")
    suffix = path.suffix.lower()
    if suffix in _SUFFIXES:
        return read_csv(
            path,
            predicate,
            vocabulary,
            skip_bad=skip_bad,
            header=header,
            columns=columns,
            delimiter=_SUFFIXES[suffix],
        )
    if suffix in (".parquet", ".pq"):
        if columns is not None:
            raise TableError(spec, "a Parquet file says itself what is a name; only those of a CSV are given")
        return read_parquet(path, predicate, vocabulary, skip_bad=skip_bad)
    raise TableError(file, "a table's name ends in .csv, .tsv or .parquet")


def _named_columns(predicate: str) -> tuple[str, tuple[str, ...] | None]:
    """`parent(from, to)` as the predicate and the names of the columns; without parentheses there are none."""
    name, opened, names = predicate.partition("(")
    if not opened or not names.endswith(")"):
        return predicate, None
    return name.strip(), tuple(column.strip() for column in names.removesuffix(")").split(","))


def read_csv(
    path: str | Path,
    predicate: str,
    vocabulary: Vocabulary,
    *,
    skip_bad: bool = False,
    header: bool = True,
    columns: Sequence[str] | None = None,
    delimiter: str = ",",
) -> TableFacts:
    """The facts of a CSV file (UTF-8). Its first row names the columns, unless `header` is False.

    Columns are taken in order. That the first row is a header must be plain: it is `columns`, or, where these are not
    given, one of its cells has the name of the predicate or of a column's sort among its words. Blanks around a cell
    and empty lines do not count. Raises TableError.
    """
    path = Path(path)
    shape = _Shape.of(predicate, vocabulary, str(path))
    rows = _csv_rows(path, delimiter)
    if not header:
        return _collect(rows, shape, from_text, skip_bad=skip_bad)
    names = next(rows, (0, ()))[1]
    _check_header(names, None if columns is None else tuple(columns), shape)
    found = _collect(rows, shape.named(names), from_text, skip_bad=skip_bad)
    return replace(found, header=names)


def read_parquet(
    path: str | Path, predicate: str, vocabulary: Vocabulary, *, skip_bad: bool = False
) -> TableFacts:
    """The facts of a Parquet file, read by DuckDB (extra `data`). Rows count from 1. Raises TableError."""
    shape = _Shape.of(predicate, vocabulary, str(path))
    try:
        import duckdb  # noqa: PLC0415 - an extra
    except ImportError:
        way_out = f"Parquet is read by DuckDB, which is not installed: {installation('data')}"
        raise TableError(str(path), way_out) from None
    if (said := why_no_file(Path(path))) is not None:
        raise TableError(str(path), said)
    try:
        # A file's name is no pattern, even where it looks like one.
        with duckdb.connect(":memory:") as connection:
            relation = connection.read_parquet(escape(str(path)))
            return read_rows(relation, predicate, vocabulary, name=shape.source, skip_bad=skip_bad)
    except TableError:
        raise
    except Exception as problem:  # noqa: BLE001 - whatever DuckDB makes of a damaged file
        raise TableError(str(path), f"this cannot be read as Parquet: {_first_line(problem)}") from None


def read_sql(
    query: str, connection: Any, predicate: str, vocabulary: Vocabulary, *, skip_bad: bool = False
) -> TableFacts:
    """The facts that a query selects, from any DB-API connection or cursor (sqlite3, psycopg, DuckDB, …).

    Rows count from 1. Raises TableError, also where the database refuses the query.
    """
    shape = _Shape.of(predicate, vocabulary, "query")
    cursor = connection if hasattr(connection, "fetchmany") else connection.cursor()
    try:
        # Some drivers return the cursor, some None.
        executed = cursor.execute(query) or cursor
        return read_rows(executed, predicate, vocabulary, name=shape.source, skip_bad=skip_bad)
    except TableError:
        raise
    except Exception as problem:  # each driver has its own errors
        raise TableError("query", f"the database refuses it: {_first_line(problem)}") from problem


def read_rows(
    source: Any, predicate: str, vocabulary: Vocabulary, *, name: str = "table", skip_bad: bool = False
) -> TableFacts:
    """The facts of a table in memory: a cursor that has executed, a DuckDB relation, an Arrow table, record
    batches or a data frame, or simply an iterable of rows.

    `name` stands for the table in messages. Rows count from 1. Raises TableError.
    """
    shape = _Shape.of(predicate, vocabulary, name)
    names, rows = _open(source)
    if names is not None:
        if len(names) != len(shape.sorts):
            raise TableError(name, _wrong_width(shape, len(names)))
        shape = shape.named(names)
    return _collect(enumerate(rows, start=1), shape, from_value, skip_bad=skip_bad)


# The shape of a table


@dataclass(frozen=True, slots=True)
class _Shape:
    """What a table must look like: its predicate, the sorts of its columns, and their names in messages."""

    source: str
    predicate: Predicate
    sorts: tuple[Sort, ...]
    names: tuple[str, ...]

    @staticmethod
    def of(name: str, vocabulary: Vocabulary, source: str) -> _Shape:
        predicate = vocabulary.predicates.get(name)
        if predicate is None:
            hint = did_you_mean(name, vocabulary.predicates)
            raise TableError(source, f"no predicate is called `{name}`" + (f"; {hint}" if hint else ""))
        if predicate.kind not in ("static", "fluent", "action"):
            raise TableError(
                source, f"`{name}` is {predicate.kind}: rules conclude it, so load what they read instead"
            )
        sorts = tuple(vocabulary.sorts[column.name] for column in predicate.columns)
        return _Shape(source, predicate, sorts, tuple(str(i + 1) for i in range(len(sorts))))

    def named(self, names: Sequence[str]) -> _Shape:
        """The same with the table's own names for its columns."""
        quoted = tuple(f"`{name}`" if name else str(i + 1) for i, name in enumerate(names))
        return _Shape(self.source, self.predicate, self.sorts, quoted)


def _wrong_width(shape: _Shape, width: int) -> str:
    predicate = shape.predicate
    columns = ", ".join(column.name for column in predicate.columns)
    return f"{_cells(width)}, where `{predicate.name}({columns})` has {predicate.arity}"


def _cells(count: int) -> str:
    return f"{count} column" if count == 1 else f"{count} columns"


def _check_header(names: Sequence[str], wanted: Sequence[str] | None, shape: _Shape) -> None:
    """Refuses a first row that may be no header, so that no fact is lost as one."""
    if not names:
        raise TableError(shape.source, "the file is empty; its first row names the columns")
    if len(names) != len(shape.sorts):
        problem = _wrong_width(shape, len(names))
        if len(names) == 1 and ";" in names[0]:
            problem += "; its cells are parted by semicolons, save it with commas"
        raise TableError(shape.source, problem)
    said = ", ".join(names)
    if wanted is not None:
        if names != wanted:
            raise TableError(shape.source, f"the first row is `{said}`, not `{', '.join(wanted)}`")
        return
    should = "the first row should name the columns, but"
    way_out = f"add such a row, or, where this is one, say so by `{shape.predicate.name}({said})=FILE`"
    way_out += " (from Python, `columns=`, or `header=False` where there is none)"
    for name, sort in zip(names, shape.sorts, strict=True):
        if sort.kind != "open" and Column(sort, from_text).problem(name) is None:
            raise TableError(shape.source, f"{should} `{name}` is a value of sort `{sort.name}`; {way_out}")
    sorts = dict.fromkeys(sort.name for sort in shape.sorts)
    known = {name.casefold() for name in (shape.predicate.name, *sorts)}
    if not any(known & _words(name) for name in names):
        examples = " or ".join(f"`{name}`" for name in sorts)
        raise TableError(shape.source, f"{should} nothing in `{said}` is called {examples}; {way_out}")


def _words(name: str) -> set[str]:
    """What may be a name in a header: `From point` and `point_2` both speak of a point."""
    folded = name.casefold()
    return {folded, re.sub(r"\W+", "_", folded), *re.split(r"[\W\d_]+", folded)}


# Rows


def _csv_rows(path: Path, delimiter: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The rows that are not empty, stripped, with their numbers."""
    number = 0
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            for number, row in enumerate(csv.reader(file, delimiter=delimiter, strict=True), start=1):
                if row:
                    yield number, tuple(map(str.strip, row))
    except OSError as problem:
        raise TableError(str(path), f"cannot be read: {problem.strerror}") from None
    except UnicodeDecodeError:
        way_out = "save it as UTF-8"
        raise TableError(str(path), f"the text after row {number} is not UTF-8; {way_out}") from None
    except csv.Error as problem:
        raise TableError(str(path), f"row {number + 1} is not CSV: {problem}") from None
    except ValueError as problem:  # a name that no file can have
        raise TableError(str(path), f"cannot be read: {problem}") from None


def _open(source: Any) -> tuple[Sequence[str] | None, Iterable[tuple[Any, ...]]]:
    """The names of a table's columns, where it has any, and its rows."""
    if hasattr(source, "fetchmany"):
        described = getattr(source, "description", None) or ()
        return [str(column[0]) for column in described] or None, _fetched(source)
    if hasattr(source, "__arrow_c_stream__"):
        import pyarrow  # noqa: PLC0415 - an extra, and who has Arrow data has it

        reader = pyarrow.RecordBatchReader.from_stream(source)
        return [str(name) for name in reader.schema.names], _arrow_rows(reader)
    return None, (tuple(row) for row in source)


def _fetched(cursor: Any) -> Iterator[tuple[Any, ...]]:
    while batch := cursor.fetchmany(_BATCH):
        yield from map(tuple, batch)


def _arrow_rows(reader: Any) -> Iterator[tuple[Any, ...]]:
    for batch in reader:
        yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)


def _first_line(problem: Exception) -> str:
    return str(problem).strip().partition("\n")[0]


# Facts


def _collect(
    rows: Iterable[tuple[int, tuple[Any, ...]]], shape: _Shape, convert: Convert, *, skip_bad: bool
) -> TableFacts:
    """The facts of the rows. Raises TableError if a row is bad, unless those are skipped."""
    kind = Column if convert is from_text else TypedColumn
    columns = [kind(sort, convert) for sort in shape.sorts]
    found = TableFacts()
    keys = _Keys(shape.predicate)
    name, width = shape.predicate.name, len(columns)
    total = 0
    for number, row in rows:
        total += 1
        if len(row) != width:
            found.bad.append(BadRow(number, _wrong_width(shape, len(row)), row))
            continue
        try:
            values = tuple(map(getitem, columns, row))
        except BadCell:
            problems = (
                (c, column.problem(cell)) for c, column, cell in zip(shape.names, columns, row, strict=True)
            )
            reason = "; ".join(f"column {c}: {problem}" for c, problem in problems if problem is not None)
            found.bad.append(BadRow(number, reason, row))
            continue
        conflict = keys.conflict(number, values)
        if conflict is None:
            found.facts.append(GroundFact(name, values))
        else:
            found.bad.append(BadRow(number, conflict, row))
    if found.bad and not skip_bad:
        count, plural = len(found.bad), "s" if len(found.bad) > 1 else ""
        raise TableError(
            shape.source,
            f"{count:,} bad row{plural} of {total:,}, so none was loaded (`--skip-bad` loads the others)",
            found.bad,
        )
    return found


class _Keys:
    """The values seen for each key of a predicate with `->`, and the row that gave them first."""

    def __init__(self, predicate: Predicate) -> None:
        self.key = predicate.key
        self.name = predicate.name
        self.seen: dict[tuple[str | int, ...], tuple[int, tuple[str | int, ...]]] = {}

    def conflict(self, number: int, values: tuple[str | int, ...]) -> str | None:
        if self.key is None:
            return None
        key = values[: self.key]
        first, known = self.seen.setdefault(key, (number, values))
        if known == values:
            return None
        said, says = (", ".join(map(str, v[self.key :])) for v in (known, values))
        which = f"`{self.name}({', '.join(map(str, key))} -> …)`" if key else f"`{self.name}`"
        return f"{which} is {says} here and {said} in row {first}; the declaration allows one"
