"""The facts of an engine, by predicate, with the indexes for reading them.

Invariants: A row is in `rows` exactly once, and in every index exactly once, under the cells of the index's
columns. An index is built at its first use and maintained from then on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from hornbook.matcher.program.coded import Derivation, PredicateId, Row


class IndexedRelation:
    """The facts of one predicate; each row with its first derivation (None: given)."""

    __slots__ = ("_indexes", "rows")

    def __init__(self) -> None:
        self.rows: dict[Row, Derivation | None] = {}
        self._indexes: dict[tuple[int, ...], defaultdict[Row, list[Row]]] = {}

    def add(self, row: Row, derivation: Derivation | None) -> None:
        """Add a row that is not there yet."""
        self.rows[row] = derivation
        for columns, index in self._indexes.items():
            index[tuple([row[column] for column in columns])].append(row)

    def index(self, columns: tuple[int, ...]) -> Mapping[Row, Sequence[Row]]:
        """Return the rows by their cells in these columns; the mapping has no entries without rows."""
        if columns not in self._indexes:
            index = self._indexes[columns] = defaultdict(list)
            for row in self.rows:
                index[tuple([row[column] for column in columns])].append(row)
        return self._indexes[columns]


Database = defaultdict[PredicateId, IndexedRelation]
"""The relations by predicate; one that was never mentioned is empty."""
