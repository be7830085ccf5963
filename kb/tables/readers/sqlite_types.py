"""The values of SQLite columns by their declared types. SQLite stores them as text, integers or real numbers.

The declarations are those of SQLite's documentation, which does not enforce them. An integer in a column of
dates or times is a number of seconds since 1970, and a real number is a Julian day. SQLite stores the text
`12.50` in a column DECIMAL as the real number 12.5. A real number with at most 15 digits is the only one with
these digits, so it is read as this decimal number. A cell whose value would be rounded is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from hornbook.kb.ast.declarations import Sort
from hornbook.kb.ast.plain_values import described
from hornbook.kb.tables.table_facts import Batch, RowBatch
from hornbook.kb.tables.table_values import RefusedCell, has_truth_values
from hornbook.kb.text.literals.forms import Form
from hornbook.kb.text.literals.values import FIRST_DAY, LAST_DAY, SECONDS, DateValue, TimeValue

_TIMES = ("DATE", "DATETIME", "TIMESTAMP")
_NUMBERS = ("DECIMAL", "NUMERIC")
_TRUTH_VALUES = ("BOOLEAN", "BOOL")
_DIGITS = 15
"""The digits of a real number that determine it, and that it determines."""
_EPOCH = 210_866_760_000_000
"""The milliseconds from the beginning of the Julian days to 1970."""
_NUMBER_OF_SECONDS = "a number of seconds since 1970"

Read = Callable[[Any], Any]


def declared_values(
    batches: Iterable[Batch], declared: Sequence[str], sorts: Sequence[Sort]
) -> Iterator[Batch]:
    """Yield the rows with the Python values of cells, by the declared types of their columns."""
    reads = list(map(_reader, declared, sorts))
    if not any(reads):
        yield from batches
        return
    for batch in batches:
        columns = zip(*batch.rows(), strict=True)
        read = [
            cells if each is None else map(each, cells) for cells, each in zip(columns, reads, strict=True)
        ]
        yield RowBatch(batch.numbers, list(zip(*read, strict=True)))


def _reader(declared: str, sort: Sort) -> Read | None:
    """Return the function that reads the cells of a column, or None if they have their values already."""
    found = re.match(r"\s*(\w+)", declared)
    kind = "" if found is None else found[1].upper()
    if has_truth_values(sort):
        return _truth_value if kind in _TRUTH_VALUES else None
    if sort.form is None:
        return None
    if sort.form.is_point:
        form = sort.form
        return (
            (lambda cell: _time(cell, form))
            if kind in _TIMES
            else (lambda cell: _undeclared_time(cell, form))
        )
    return _number if kind in _NUMBERS else _undeclared_number


def _truth_value(cell: Any) -> Any:
    if type(cell) is not int:
        return cell
    return (
        bool(cell)
        if cell in (0, 1)
        else RefusedCell(f"{described(cell)} is no truth value; these are 0 and 1")
    )


def _time(cell: Any, form: Form) -> Any:
    if type(cell) is int:
        seconds = cell
    elif type(cell) is float:
        if not abs(cell) < 10**8:
            return RefusedCell(f"{described(cell)} is no Julian day of the years 1 to 9999")
        seconds, rest = divmod(int(cell * SECONDS * 1000 + 0.5) - _EPOCH, 1000)
        if rest:
            return RefusedCell(f"the Julian day {cell} has a fraction of a second")
    else:
        return cell
    if not FIRST_DAY * SECONDS <= seconds < (LAST_DAY + 1) * SECONDS:
        remedy = "; divide milliseconds by 1000 in a view" if type(cell) is int else ""
        return RefusedCell(
            f"{described(cell)}, as {_NUMBER_OF_SECONDS}, is not in the years 1 to 9999{remedy}"
        )
    time = TimeValue(seconds)
    if form.kind == "time":
        return time
    if seconds % SECONDS:
        return RefusedCell(f"{described(cell)} is the time {time}, and not a date; cast it in a view")
    return DateValue(seconds // SECONDS)


def _undeclared_time(cell: Any, form: Form) -> Any:
    if type(cell) not in (int, float):
        return cell
    way_out = f"declare its column {', '.join(_TIMES[:-1])} or {_TIMES[-1]} if it is {_NUMBER_OF_SECONDS}"
    return RefusedCell(f"{described(cell)} is not {form.described}; {way_out}")


def _number(cell: Any) -> Any:
    if type(cell) not in (int, float):
        return cell
    if not abs(cell) < 10**_DIGITS:  # the text of a longer number may have become a rounded integer
        return RefusedCell(f"SQLite may have rounded {described(cell)}; declare the column TEXT")
    if type(cell) is int:
        return cell
    text = f"{cell:.{_DIGITS}g}"
    if float(text) != cell:
        return RefusedCell(f"{described(cell)} has more than {_DIGITS} digits; round it in a view")
    import decimal  # noqa: PLC0415 - slow to import

    return decimal.Decimal(text)


def _undeclared_number(cell: Any) -> Any:
    if type(cell) is not float:
        return cell
    way_out = "declare its column DECIMAL, or store texts"
    return RefusedCell(f"{described(cell)} is a floating-point number; {way_out}")
