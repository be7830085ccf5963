"""The column names of a relation's table: the names of the sorts, numbered if one is repeated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import count

HOLDS, YES = "holds", "yes"
"""The column of a relation without columns, and the value of its only row if it holds."""


def column_names(sorts: Sequence[str]) -> tuple[str, ...]:
    """Return column names such as `person_1`, `person_2`, `thing` for the sorts of `gives(person, person,
    thing)`.

    The names are distinct even without regard to case.
    """
    counts = Counter(map(str.casefold, sorts))
    names: dict[str, str] = {}
    for sort in sorts:
        name = sort
        if counts[sort.casefold()] > 1:
            numbered = (f"{sort}_{number}" for number in count(1))
            name = next(each for each in numbered if each.casefold() not in names.keys() | counts.keys())
        names[name.casefold()] = name
    return tuple(names.values())


def places_by_name(
    names: Sequence[str], sorts: Sequence[str], columns: Sequence[str] | None = None
) -> list[int] | None:
    """Return the places of the columns in a table with these names, or None if they are in order.

    With `columns`, these names are searched. Otherwise the columns are searched only if the table has exactly
    the names of `column_names` in another order. Raises KeyError if a name of `columns` is missing or
    ambiguous.
    """
    expected = column_names(sorts) if columns is None else columns
    if list(names) == list(expected):
        return None
    if columns is None and sorted(names) != sorted(expected):
        return None
    for each in expected:
        if names.count(each) != 1:
            raise KeyError(each)
    return [names.index(each) for each in expected]
