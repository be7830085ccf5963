"""Facts of one relation, column by column, as tables give them: words are numbered, integers are as they are.

A million facts take the bytes of their numbers this way, and each is only made when it is looked at.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import SupportsIndex, overload

from hornbook.kb.ast.theory import GroundFact


@dataclass(frozen=True, slots=True)
class FactColumn:
    """The values of a column: 64-bit integers (typecode `q`), or, where there are `words`, the places of words there."""

    cells: array[int]
    words: Sequence[str] | None

    def value(self, row: int) -> str | int:
        cell = self.cells[row]
        return cell if self.words is None else self.words[cell]


@dataclass(frozen=True, slots=True, eq=False)
class FactColumns(Sequence[GroundFact]):
    """So many facts of one relation, without a moment. Equal to every sequence of the same facts in the same order."""

    relation: str
    columns: tuple[FactColumn, ...]
    size: int

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
        return GroundFact(self.relation, tuple(column.value(row) for column in self.columns))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return len(self) == len(other) and all(map(GroundFact.__eq__, self, other))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(list(self))
