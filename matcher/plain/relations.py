"""The facts of an engine, by predicate, with the indexes that they are read by.

Always true: a row stands in `rows` exactly once, and in every index exactly once, under the cells of the
index's columns. An index is built when it is first asked for and kept up to date from then on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from hornbook.matcher.program.coded import Cell, Derivation, PredicateId

Row = tuple[Cell, ...]


class Relation:
    """The facts of one predicate; each row with the derivation that first gave it (None: given)."""

    __slots__ = ("_indexes", "rows")

    def __init__(self) -> None:
        self.rows: dict[Row, Derivation | None] = {}
        self._indexes: dict[tuple[int, ...], defaultdict[Row, list[Row]]] = {}

    def add(self, row: Row, derivation: Derivation | None) -> None:
        """A row that is not there yet."""
        self.rows[row] = derivation
        for columns, index in self._indexes.items():
            index[tuple([row[column] for column in columns])].append(row)

    def index(self, columns: tuple[int, ...]) -> Mapping[Row, Sequence[Row]]:
        """The rows by their cells in these columns; cells that no row has are not in the mapping."""
        if columns not in self._indexes:
            index = self._indexes[columns] = defaultdict(list)
            for row in self.rows:
                index[tuple([row[column] for column in columns])].append(row)
        return self._indexes[columns]


Database = defaultdict[PredicateId, Relation]
"""The relations by predicate; one that was never mentioned is empty."""
