"""What the columns of a relation's table are called: as their sorts are, numbered where one comes again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import count

HOLDS, YES = "holds", "yes"
"""The column of a relation without columns, and what its row says where it holds."""


def column_names(sorts: Sequence[str]) -> tuple[str, ...]:
    """`person_1`, `person_2`, `thing` for the sorts of `gives(person, person, thing)`: names that differ without regard to
    capitals.
    """
    said = Counter(map(str.casefold, sorts))
    names: dict[str, str] = {}
    for sort in sorts:
        name = sort
        if said[sort.casefold()] > 1:
            numbered = (f"{sort}_{number}" for number in count(1))
            name = next(each for each in numbered if each.casefold() not in names.keys() | said.keys())
        names[name.casefold()] = name
    return tuple(names.values())


def places_by_name(
    names: Sequence[str], sorts: Sequence[str], columns: Sequence[str] | None = None
) -> list[int] | None:
    """Where the columns of sorts stand in a table with these names, if they are to be found by name: those that are called
    `columns`, or, where these are not given, if the table has the names of `column_names` and no others, in another order. None
    where they stand in order. Raises KeyError if a name of `columns` is not there, or more than once.
    """
    wanted = column_names(sorts) if columns is None else columns
    if list(names) == list(wanted):
        return None
    if columns is None and sorted(names) != sorted(wanted):
        return None
    for each in wanted:
        if names.count(each) != 1:
            raise KeyError(each)
    return [names.index(each) for each in wanted]
