"""Facts of one relation stored by column. Words are numbered; integers are stored directly.

Each fact takes only the bytes of its numbers. A `GroundFact` is created when it is accessed.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import SupportsIndex, overload

from hornbook.kb.ast.terms import Tense
from hornbook.kb.ast.theory import GroundFact
from hornbook.matcher.program.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class FactColumn:
    """The values of a column.

    Without `words`, the cells are 64-bit integers (typecode `q`). With `words`, they are indices into
    `words`, also for the integers of a mixed column.
    """

    cells: array[int]
    words: Sequence[str | int] | None

    def value(self, row: int) -> str | int:
        cell = self.cells[row]
        return cell if self.words is None else self.words[cell]


@dataclass(frozen=True, slots=True)
class TableRows:
    """The rows of a table that facts were read from.

    From the fact at `places[i]` on, the rows are numbered consecutively from `numbers[i]` on. For a database,
    `key` is the column that holds the numbers.
    """

    table: str
    places: tuple[int, ...]
    numbers: tuple[int, ...]
    key: str | None = None

    def row(self, place: int) -> str:
        """Return the source of the fact at a place: `member.csv:17` or `shop.sqlite:member id=17`."""
        run = bisect_right(self.places, place) - 1
        number = self.numbers[run] + place - self.places[run]
        return f"{self.table}:{number}" if self.key is None else f"{self.table} {self.key}={number}"


@dataclass(frozen=True, slots=True, eq=False)
class FactColumns(Sequence[GroundFact]):
    """`size` facts of one relation. Equal to every sequence of the same facts in the same order."""

    relation: str
    columns: tuple[FactColumn, ...]
    size: int
    tense: Tense | None = None
    rows: TableRows | None = None
    """The source rows of the facts, if they come from a table."""

    def __len__(self) -> int:
        return self.size

    @overload
    def __getitem__(self, place: SupportsIndex) -> GroundFact: ...
    @overload
    def __getitem__(self, place: slice) -> list[GroundFact]: ...
    def __getitem__(self, place: SupportsIndex | slice) -> GroundFact | list[GroundFact]:
        rows = range(self.size)[place]
        if isinstance(rows, range):
            return [self._fact(row) for row in rows]
        return self._fact(rows)

    def _fact(self, row: int) -> GroundFact:
        return GroundFact(self.relation, tuple(column.value(row) for column in self.columns), self.tense)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return len(self) == len(other) and all(map(GroundFact.__eq__, self, other))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(list(self))


def in_columns(facts: Iterable[GroundFact]) -> list[FactColumns]:
    """Return facts as columns, one object for each relation and moment.

    A fact with another number of values than the preceding ones of its relation starts a new object.

    Raises:
        OverflowError: An integer does not fit into 64 bits.
    """
    found: list[FactColumns] = []
    filling: dict[tuple[str, Tense | None], _Filling] = {}
    for fact in facts:
        key = fact.relation, fact.tense
        at_hand = filling.get(key)
        if at_hand is None or len(at_hand.cells) != len(fact.values):
            if at_hand is not None:
                found.append(at_hand.filled(*key))
            at_hand = filling[key] = _Filling([array("q") for _ in fact.values], [None for _ in fact.values])
        at_hand.add(fact.values)
    return [*found, *(each.filled(*key) for key, each in filling.items())]


@dataclass(slots=True)
class _Filling:
    """Columns under construction: their cells, and the numbers of the values in columns that have words."""

    cells: list[array[int]]
    numbers: list[dict[str | int, int] | None]
    size: int = 0

    def add(self, values: tuple[str | int, ...]) -> None:
        for place, value in enumerate(values):
            numbers = self.numbers[place]
            if numbers is None and isinstance(value, str):
                numbers = self._with_words(place)
            cell = value if numbers is None else numbers.setdefault(value, len(numbers))
            assert isinstance(cell, int)
            self.cells[place].append(cell)
        self.size += 1

    def _with_words(self, place: int) -> dict[str | int, int]:
        """Switch a column of integers to numbered values, because it gets its first word."""
        there = self.cells[place]
        numbers: dict[str | int, int] = {value: number for number, value in enumerate(dict.fromkeys(there))}
        self.numbers[place] = numbers
        self.cells[place] = array("q", map(numbers.__getitem__, there))
        return numbers

    def filled(self, relation: str, tense: Tense | None) -> FactColumns:
        columns = (
            FactColumn(cells, None if numbers is None else list(numbers))
            for cells, numbers in zip(self.cells, self.numbers, strict=True)
        )
        return FactColumns(relation, tuple(columns), self.size, tense)
