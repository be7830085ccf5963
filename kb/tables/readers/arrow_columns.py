"""The columns of Arrow data, and of DuckDB's, without a Python object for each cell."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import compress, repeat
from typing import Any

from hornbook.kb.ast.declarations import Sort
from hornbook.kb.ast.fact_columns import FactColumn
from hornbook.kb.tables.table_values import RefusedCell, has_truth_values
from hornbook.kb.text.literals.forms import Form
from hornbook.kb.text.literals.values import FIRST_DAY, LAST_DAY, SECONDS
from hornbook.matcher.program.dataclass import dataclass

_MOST_DIGITS = 38
"""The digits of 128 bits."""
_YEARS = {
    "date": (FIRST_DAY, LAST_DAY),
    "time": (FIRST_DAY * SECONDS, LAST_DAY * SECONDS + SECONDS - 1),
}
"""The first and the last integer in the years that have a text."""


@dataclass(frozen=True, slots=True)
class ArrowBatch:
    """A record batch with the numbers of its rows."""

    numbers: Sequence[int]
    batch: Any

    def columns(self, sorts: Sequence[Sort]) -> Iterator[FactColumn | Sequence[Any]]:
        """Return the columns: coded if their Arrow type fits the sort, otherwise as Python objects.

        Raises ValueError if there is a null, or another number of columns.
        """
        if len(sorts) != self.batch.num_columns:
            raise ValueError("another number of columns")
        return map(_column, self.batch.columns, sorts)

    def select(self, places: Sequence[int]) -> ArrowBatch:
        """Return the same rows with the columns at some places."""
        return ArrowBatch(self.numbers, self.batch.select(list(places)))

    def parted(self, key: int, width: int) -> tuple[ArrowBatch, list[tuple[Any, ...]]]:
        """Return the rows as `Batch.parted` does."""
        from pyarrow import compute  # noqa: PLC0415 - who has Arrow data has it

        rest = self.batch.columns[key:]
        if self.batch.num_columns != width or not all(column.null_count for column in rest):
            return self, []
        has_value = compute.is_valid(rest[0])
        for column in rest[1:]:
            has_value = compute.or_(has_value, compute.is_valid(column))
        others = self.batch.select(list(range(key))).filter(compute.invert(has_value))
        numbers = list(compress(self.numbers, has_value.to_pylist()))
        cells = zip(*map(_objects, others.columns), strict=True) if key else repeat((), others.num_rows)
        return ArrowBatch(numbers, self.batch.filter(has_value)), list(cells)

    def rows(self) -> Iterable[tuple[Any, ...]]:
        return zip(*map(_objects, self.batch.columns), strict=True)


def arrow_batches(reader: Any, *, has_numbers: bool = False) -> Iterator[ArrowBatch]:
    """Yield the batches of a reader. Rows count from 1, unless the first column has their numbers."""
    first = 1
    for batch in reader:
        if has_numbers:
            numbers: Sequence[int] = batch.column(0).to_pylist()
            yield ArrowBatch(numbers, batch.select(list(range(1, batch.num_columns))))
        else:
            yield ArrowBatch(range(first, first + batch.num_rows), batch)
        first += batch.num_rows


def _column(column: Any, sort: Sort) -> FactColumn | Sequence[Any]:
    import pyarrow as pa  # noqa: PLC0415 - who has Arrow data has it

    kind = column.type
    if pa.types.is_dictionary(kind):
        # Arrow cannot take values from a dictionary of views, which Polars creates.
        words = (
            column.dictionary.cast(pa.string())
            if pa.types.is_string_view(kind.value_type)
            else column.dictionary
        )
        column = words.take(column.indices)
        kind = column.type
    elif pa.types.is_string_view(kind):
        column, kind = column.cast(pa.large_string()), pa.large_string()
    if column.null_count:
        raise ValueError("a cell is NULL")
    if pa.types.is_boolean(kind) and has_truth_values(sort):
        column, kind = column.cast(pa.string()), pa.string()
    if sort.form is not None and (integers := _with_form(column, sort.form)) is not None:
        return FactColumn(integers, None, sort.form.number)
    if pa.types.is_integer(kind):
        return FactColumn(_integers(column.cast(pa.int64())), None)
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        coded = column.dictionary_encode()
        return FactColumn(_integers(coded.indices.cast(pa.int64())), _objects(coded.dictionary))
    return _objects(column)


def _with_form(column: Any, form: Form) -> array[int] | None:
    """Return the integers of dates, times or decimal numbers without nulls.

    The result is None for another type, and for cells that are no values of the form. Casts of Arrow fail
    instead of rounding.
    """
    import pyarrow as pa  # noqa: PLC0415 - the same

    kind, types = column.type, pa.types
    try:
        if not form.is_point:
            if not (types.is_decimal(kind) or types.is_integer(kind)):
                return None
            scaled = column.cast(pa.decimal128(_MOST_DIGITS, form.digits))
            # The same 128 bits as integers.
            return _integers(scaled.view(pa.decimal128(_MOST_DIGITS, 0)).cast(pa.int64()))
        if types.is_timestamp(kind):
            column = column.cast(pa.timestamp("s", kind.tz))
            seconds = column.view(pa.int64())
            if form.kind == "time":
                return _in_years(seconds, form)
            days = None if kind.tz else column.cast(pa.date32())
            # This cast rounds.
            if days is None or not days.cast(column.type).equals(column):
                return None
            column = days
        elif form.kind == "time" or not types.is_date(kind):
            return None
        return _in_years(column.cast(pa.date32()).view(pa.int32()).cast(pa.int64()), form)
    except pa.ArrowInvalid:
        return None


def _in_years(column: Any, form: Form) -> array[int] | None:
    """Return the integers of dates or times if all of them are in the years that have a text."""
    from pyarrow import compute  # noqa: PLC0415 - the same

    first, last = compute.min_max(column).as_py().values()
    are_in = first is None or (first >= _YEARS[form.kind][0] and last <= _YEARS[form.kind][1])
    return _integers(column) if are_in else None


def _objects(column: Any) -> list[Any]:
    """Return the cells as Python objects. Bytes that are not UTF-8 become lone surrogates, so that the cell
    is refused.
    """
    try:
        cells: list[Any] = column.to_pylist()
    except UnicodeDecodeError:
        texts = column.cast("large_binary").to_pylist()
        cells = [None if text is None else text.decode(errors="surrogateescape") for text in texts]
    except (OverflowError, ValueError):  # a date of another year, or nanoseconds without pandas
        texts = column.cast("string").to_pylist()
        cells = [
            None if text is None else RefusedCell(f"`{text}` is no date or time of Python") for text in texts
        ]
    return cells


def _integers(column: Any) -> array[int]:
    """Return the cells of an Arrow array of 64-bit integers without nulls."""
    cells = array("q")
    if len(column):
        begin = column.offset * cells.itemsize
        cells.frombytes(memoryview(column.buffers()[1])[begin : begin + len(column) * cells.itemsize])
    return cells
