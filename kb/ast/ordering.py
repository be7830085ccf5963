"""The order of values and rows: integers by size come before words, where a column has both."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

Value = str | int
Row = TypeVar("Row", bound=tuple[object, ...])


def value_order(value: Value) -> tuple[bool, Value]:
    """What a value is sorted by."""
    return isinstance(value, str), value


def sorted_rows(rows: Iterable[Row]) -> list[Row]:
    """The rows sorted by their values, which may be rows themselves."""
    rows = list(rows)
    try:
        return sorted(rows)
    except TypeError:  # a word and an integer stand in one column
        return sorted(rows, key=row_order)


def row_order(row: tuple[object, ...]) -> tuple[object, ...]:
    """The key by which rows are sorted, where a column may have words and integers."""
    return tuple(
        row_order(value) if isinstance(value, tuple) else (isinstance(value, str), value) for value in row
    )
