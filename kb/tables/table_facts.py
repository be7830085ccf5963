"""The facts of a table, built from batches of its rows, and the invalid rows.

A batch of plain rows is added by column. Other rows are checked one by one.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace
from itertools import compress
from typing import Any, Protocol

from hornbook.kb.ast.declarations import Predicate, Sort
from hornbook.kb.ast.fact_columns import FactColumn, FactColumns, TableRows
from hornbook.kb.ast.plain_values import is_missing
from hornbook.kb.ast.theory import GroundFact, Vocabulary
from hornbook.kb.parse.facts import STATED_ONLY, why_stated_only
from hornbook.kb.sources.diagnostics import did_you_mean
from hornbook.kb.tables.column_names import HOLDS, YES
from hornbook.kb.tables.readers.table_format import ISO, OPTION, TableFormat
from hornbook.kb.tables.table_columns import TableColumn, UnusualCells, table_column
from hornbook.kb.tables.table_values import BadCell, Convert, mixed_text
from hornbook.kb.text.counts import counted
from hornbook.kb.text.escaping import on_one_line
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.hornbook_error import HornbookError

SHOWN_ROWS = 20
"""The maximum number of bad rows in a message."""


@dataclass(frozen=True, slots=True)
class BadRow:
    """A row that does not state a fact.

    Rows of a file are numbered as in a spreadsheet: from 1, including the header. Rows of a database have the
    number of their `key`.
    """

    row: int
    reason: str
    values: tuple[object, ...]
    key: str | None = None

    def __str__(self) -> str:
        return f"{named_row(self.row, self.key)}: {self.reason}"


IT_HOLDS = ((YES,), ("()",))
"""The rows of a table for a predicate without columns, in the format of `run` and in that of
Datalog engines.
"""


def delimiter_hint(row: tuple[Any, ...]) -> str:
    """Return a hint if the cells of a row were separated in another way than expected."""
    (cell,) = row if len(row) == 1 else ("",)
    if not isinstance(cell, str):
        return ""
    if "\t" in cell:
        return (
            "; its cells are parted by tabs: call the file .tsv, or .facts if it has no header and no quotes"
        )
    if ";" in cell:
        return f"; its cells are parted by semicolons, which `{OPTION} 'delimiter=;'` reads"
    return "; the cells of a .facts file are parted by tabs" if "," in cell or " " in cell else ""


def named_row(number: int, key: str | None) -> str:
    """Return `row 17`, or `row id=17` for a table with a key."""
    return f"row {number}" if key is None else f"row {key}={number}"


@dataclass(frozen=True, slots=True)
class TableFacts:
    """The facts of a table, in its order, and the other rows.

    The facts are stored as columns: each fact object is created on access, and a knowledge base adds all at
    once.

    - `bad`: The rows that were left out.
    - `header`: The first row of a CSV, if it contains the names of the columns.
    - `without_value`: The number of rows that state no fact, because all columns after `->` are empty.
    """

    facts: Sequence[GroundFact] = ()
    bad: list[BadRow] = field(default_factory=list)
    header: tuple[str, ...] = ()
    without_value: int = 0


class TableError(HornbookError):
    """A table that cannot be loaded: there is no such file, it does not fit the predicate, or it has bad
    rows.

    `bad` has every bad row. The message shows the first ones.
    """

    def __init__(self, source: str, problem: str, bad: Sequence[BadRow] = ()) -> None:
        self.source = source
        self.bad = tuple(bad)
        shown = [f"  {on_one_line(str(row))}" for row in self.bad[:SHOWN_ROWS]]
        rest = len(self.bad) - len(shown)
        shown += [f"  and {rest:,} more"] if rest else []
        super().__init__("\n".join([f"{on_one_line(source)}: {problem}", *shown]))


@dataclass(frozen=True, slots=True)
class TableShape:
    """The expected form of a table: its predicate, the sorts of its columns, and their names in messages.

    `key` is the column that identifies the rows of a database table, and `format` that of its texts.
    """

    source: str
    predicate: Predicate
    sorts: tuple[Sort, ...]
    names: tuple[str, ...]
    key: str | None = None
    format: TableFormat = ISO

    @staticmethod
    def of(name: str, vocabulary: Vocabulary, source: str, format_: TableFormat = ISO) -> TableShape:
        predicate = vocabulary.predicates.get(name)
        if predicate is None:
            hint = did_you_mean(name, vocabulary.predicates)
            raise TableError(source, f"no predicate is called `{name}`" + (f"; {hint}" if hint else ""))
        if predicate.kind not in ("static", "fluent", "action"):
            raise TableError(
                source,
                f"`{name}` is {predicate.kind}: rules conclude it, so load the relations that they "
                "read instead",
            )
        problem = why_stated_only(predicate)
        if problem is not None:
            raise TableError(source, f"{problem} (HB070); {STATED_ONLY}")
        sorts = tuple(vocabulary.sorts[column.name] for column in predicate.columns)
        names = tuple(str(i + 1) for i in range(len(sorts)))
        return TableShape(source, predicate, sorts, names, format=format_)

    def named(self, names: Sequence[str]) -> TableShape:
        """Return the shape with the table's own names for its columns."""
        quoted = tuple(f"`{name}`" if name else str(i + 1) for i, name in enumerate(names))
        return replace(self, names=quoted)

    def fits(self, names: Sequence[str]) -> bool:
        """Return whether a table with these names has the right width. For a predicate without columns, the
        column is `holds`.
        """
        return len(names) == len(self.sorts) or (not self.sorts and list(names) == [HOLDS])

    def wrong_width(self, width: int) -> str:
        """Return the message for a row or header of `width` columns."""
        predicate = self.predicate
        columns = ", ".join(column.name for column in predicate.columns)
        return f"{counted(width, 'column')}, where `{predicate.name}({columns})` has {predicate.arity}"


class Batch(Protocol):
    """Some rows of a table, in order."""

    @property
    def numbers(self) -> Sequence[int]:
        """The number of each row."""

    def columns(self, sorts: Sequence[Sort]) -> Iterable[Sequence[Any] | FactColumn]:
        """Return the cells of each column, which has the sort at the same place. Raises ValueError if the
        rows differ in width.
        """

    def rows(self) -> Iterable[tuple[Any, ...]]:
        """Return the cells of each row."""

    def parted(self, key: int, width: int) -> tuple[Batch, Sequence[tuple[Any, ...]]]:
        """Return the first `key` cells of the rows whose other cells are None, after the other rows. A row of
        another width than `width` is one of the other rows.
        """


@dataclass(frozen=True, slots=True)
class RowBatch:
    """A batch of rows as tuples."""

    numbers: Sequence[int]
    cells: Sequence[tuple[Any, ...]]

    def columns(self, sorts: Sequence[Sort]) -> Iterator[tuple[Any, ...]]:
        return zip(*self.cells, strict=True)

    def rows(self) -> Sequence[tuple[Any, ...]]:
        return self.cells

    def parted(self, key: int, width: int) -> tuple[Batch, Sequence[tuple[Any, ...]]]:
        have_value = [len(row) != width or row[key:].count(None) < width - key for row in self.cells]
        numbers = list(compress(self.numbers, have_value))
        others = [row[:key] for row, has_value in zip(self.cells, have_value, strict=True) if not has_value]
        return RowBatch(numbers, list(compress(self.cells, have_value))), others


def collect(batches: Iterable[Batch], shape: TableShape, convert: Convert, *, skip_bad: bool) -> TableFacts:
    """Return the facts of the rows.

    Raises:
        TableError: A row is bad and `skip_bad` is false. For a complete predicate, bad rows are never
            skipped.
    """
    collecting = _Collecting(shape, convert)
    total = 0
    for batch in batches:
        total += len(batch.numbers)
        if not (collecting.add_columns(batch) or collecting.add_columns_with_value(batch)):
            collecting.add_rows(batch)
    bad = collecting.bad
    if bad and (shape.predicate.complete or not skip_bad):
        way_out = (
            f"none may be left out, since `{shape.predicate.name}` is declared complete"
            if shape.predicate.complete
            else "`--skip-bad` loads the others"
        )
        raise TableError(
            shape.source, f"{counted(len(bad), 'bad row')} of {total:,}, so none was loaded ({way_out})", bad
        )
    return TableFacts(collecting.facts(), bad, without_value=collecting.without_value)


class _Collecting:
    """The facts of a table and its bad rows during reading."""

    def __init__(self, shape: TableShape, convert: Convert) -> None:
        self.bad: list[BadRow] = []
        self.without_value = 0
        self._shape = shape
        self._columns = [table_column(sort, convert, shape.format) for sort in shape.sorts]
        self._keys = _Keys(shape, self._columns)
        self._size = 0
        self._places: list[int] = []
        self._numbers: list[int] = []

    def facts(self) -> FactColumns:
        columns = tuple(column.filled() for column in self._columns)
        rows = TableRows(self._shape.source, tuple(self._places), tuple(self._numbers), self._shape.key)
        return FactColumns(self._shape.predicate.name, columns, self._size, rows=rows)

    def _accept(self, numbers: Sequence[int]) -> None:
        """Keep the rows that were just added, which have these numbers."""
        if numbers and (
            isinstance(numbers, range) or numbers == [*range(numbers[0], numbers[0] + len(numbers))]
        ):
            self._begin(self._size, numbers[0])
        else:
            for place, number in enumerate(numbers, self._size):
                self._begin(place, number)
        self._size += len(numbers)

    def _begin(self, place: int, number: int) -> None:
        """Record the row number at a place, unless it continues the preceding numbers."""
        if not self._places or number - place != self._numbers[-1] - self._places[-1]:
            self._places.append(place)
            self._numbers.append(number)

    def add_columns(self, batch: Batch) -> bool:
        """Add all rows of a batch. Return False and add nothing if a row may be bad."""
        try:
            cells = list(batch.columns(self._shape.sorts))
            if len(cells) != len(self._columns) or not cells:
                return not batch.numbers
            for column, more in zip(self._columns, cells, strict=True):
                column.extend(more)
        except (BadCell, UnusualCells, ValueError):
            is_good = False
        else:
            is_good = self._keys.add(self._size, batch.numbers)
        if is_good:
            self._accept(batch.numbers)
        else:
            self._cut()
        return is_good

    def add_columns_with_value(self, batch: Batch) -> bool:
        """Add the rows of a batch that have a value, and count the others. Return False and add nothing if
        all rows have a value, or one may be bad.
        """
        key = self._shape.predicate.key
        if key is None:
            return False
        rows, keys = batch.parted(key, len(self._columns))
        columns = self._columns[:key]
        if not keys:
            return False
        cells = zip(columns, zip(*keys, strict=True), strict=True) if key else ()
        if any(column.problem(cell) is not None for column, each in cells for cell in each):
            return False
        if not self.add_columns(rows):
            return False
        self.without_value += len(keys)
        return True

    def add_rows(self, batch: Batch) -> None:
        """Add the good rows of a batch, and record the bad ones. Rows without a value are only counted."""
        for number, row in zip(batch.numbers, batch.rows(), strict=True):
            if self._has_no_value(row):
                self.without_value += 1
                continue
            reason = self._add_row(number, row)
            if reason is None:
                self._accept([number])
            else:
                self._cut()
                self.bad.append(BadRow(number, reason, row, self._shape.key))

    def _has_no_value(self, row: tuple[Any, ...]) -> bool:
        """Return whether a row has a valid key and nothing else."""
        key = self._shape.predicate.key
        if key is None or len(row) != len(self._columns):
            return False
        if not all(map(_is_missing, self._columns[key:], row[key:])):
            return False
        return all(
            column.problem(cell) is None for column, cell in zip(self._columns[:key], row[:key], strict=True)
        )

    def _add_row(self, number: int, row: tuple[Any, ...]) -> str | None:
        """Add a row, or return the reason why it is bad. Then the caller must remove the added cells."""
        shape = self._shape
        if not self._columns and row in IT_HOLDS:
            row = ()
        if len(row) != len(self._columns):
            return shape.wrong_width(len(row)) + delimiter_hint(row)
        try:
            for column, cell in zip(self._columns, row, strict=True):
                column.append(column.value(cell))
        except BadCell:
            problems = (
                (name, column.problem(cell))
                for name, column, cell in zip(shape.names, self._columns, row, strict=True)
            )
            return "; ".join(f"column {name}: {problem}" for name, problem in problems if problem is not None)
        return None if self._keys.add(self._size, [number]) else self._keys.conflict(self._size)

    def _cut(self) -> None:
        for column in self._columns:
            column.cut(self._size)


def _is_missing(column: TableColumn, cell: object) -> bool:
    """Return whether a cell is missing. An empty text is a value in a column of words."""
    if isinstance(cell, str):
        return not cell and column.problem("") is not None
    return is_missing(cell)


class _Keys:
    """The rows by key, for a predicate with `->`: the place of the first row with each key, and the number of
    every row.
    """

    def __init__(self, shape: TableShape, columns: Sequence[TableColumn]) -> None:
        self._predicate = predicate = shape.predicate
        self._row_key = shape.key
        self._columns = columns
        self._key = columns[: predicate.key]
        self._rest = [] if predicate.key is None else columns[predicate.key :]
        self._numbers: array[int] = array("q")
        self._first: dict[object, int] = {}

    def add(self, begin: int, numbers: Sequence[int]) -> bool:
        """Record the rows from `begin` on. Return False if one contradicts the value of a known key."""
        if self._predicate.key is None:
            return True
        keys = self._keys(begin, len(numbers))
        places = list(map(self._first.setdefault, keys, range(begin, begin + len(numbers))))
        for column in self._rest:
            if array("q", list(map(column.cells.__getitem__, places))) != column.cells[begin:]:
                for key in set(keys):
                    if self._first[key] >= begin:
                        del self._first[key]
                return False
        self._numbers.extend(numbers)
        return True

    def conflict(self, place: int) -> str:
        """Return the message for a contradiction between the last row and an earlier one with the
        same key.
        """
        (key,) = self._keys(place, 1)
        first = self._first[key]
        earlier, says = (", ".join(self._shown_values(self._rest, row)) for row in (first, place))
        words = ", ".join(self._shown_values(self._key, place))
        which = f"`{self._predicate.name}({words} -> …)`" if self._key else f"`{self._predicate.name}`"
        other = named_row(self._numbers[first], self._row_key)
        return f"{which} is {says} here and {earlier} in {other}; the declaration allows one"

    def _keys(self, begin: int, size: int) -> list[object]:
        if not self._key:
            return [()] * size
        columns = [column.cells[begin:] for column in self._key]
        return list(columns[0]) if len(columns) == 1 else list(zip(*columns, strict=True))

    @staticmethod
    def _shown_values(columns: Sequence[TableColumn], row: int) -> list[str]:
        values = ((column, column.filled().value(row)) for column in columns)
        return [mixed_text(v) if column.sort.kind == "mixed" else str(v) for column, v in values]
