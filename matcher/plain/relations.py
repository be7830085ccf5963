"""The facts of an engine, by predicate, with the indexes that joins read them by.

Always true: a row stands in `rows` exactly once, and in every index exactly once, under the cells of the
index's columns. An index is built when it is first asked for and kept up to date from then on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from typing import Any

from hornbook.matcher.program.coded import Cell, Derivation, PredicateId

Row = tuple[Cell, ...]


def project(places: Sequence[int]) -> Callable[[Sequence[Any]], tuple[Any, ...]]:
    """The function that picks the cells at these places out of a row, as a tuple."""
    if not places:
        return lambda _: ()
    if len(places) == 1:
        (only,) = places
        return lambda row: (row[only],)
    return itemgetter(*places)


class Relation:
    """The facts of one predicate; each row with the derivation that first gave it (None: given)."""

    __slots__ = ("_indexes", "rows")

    def __init__(self) -> None:
        self.rows: dict[Row, Derivation | None] = {}
        self._indexes: dict[tuple[int, ...], tuple[Callable[[Row], Row], defaultdict[Row, list[Row]]]] = {}

    def add(self, row: Row, derivation: Derivation | None) -> None:
        """A row that is not there yet."""
        self.rows[row] = derivation
        for key, index in self._indexes.values():
            index[key(row)].append(row)

    def index(self, columns: tuple[int, ...]) -> Mapping[Row, Sequence[Row]]:
        """The rows by their cells in these columns; cells that no row has are not in the mapping."""
        if columns not in self._indexes:
            key, index = project(columns), defaultdict[Row, list[Row]](list)
            for row in self.rows:
                index[key(row)].append(row)
            self._indexes[columns] = key, index
        return self._indexes[columns][1]


Database = defaultdict[PredicateId, Relation]
"""The relations by predicate; one that was never mentioned is empty."""
