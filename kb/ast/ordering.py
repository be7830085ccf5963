"""The order of values and rows. Integers come before words if a column has both."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

Value = str | int
Row = TypeVar("Row", bound=tuple[object, ...])


def value_order(value: Value) -> tuple[bool, Value]:
    """Return the sort key of a value."""
    return isinstance(value, str), value


def sorted_rows(rows: Iterable[Row]) -> list[Row]:
    """Return the rows sorted by their values, which may be rows themselves."""
    rows = list(rows)
    try:
        return sorted(rows)
    except TypeError:  # A column has both words and integers.
        return sorted(rows, key=row_order)


def row_order(row: tuple[object, ...]) -> tuple[object, ...]:
    """Return the sort key of a row whose columns may mix words and integers."""
    return tuple(
        row_order(value) if isinstance(value, tuple) else (isinstance(value, str), value) for value in row
    )
