"""Positions of sliding tiles: the content of each square, row by row from the top left."""

from __future__ import annotations

from hornbook.kb.text.dataclass import dataclass

BLANK = 0
SIDES = range(2, 6)
"""Possible numbers of rows and of columns."""


@dataclass(frozen=True, slots=True)
class TilesPosition:
    """Position of sliding tiles.

    `tiles` contains each number from 0 (the blank) to the number of squares minus one exactly once.
    """

    rows: int
    columns: int
    tiles: tuple[int, ...]


def name(square: int, columns: int) -> str:
    """Return the name of a square by its place: a1 is in the top left corner, b1 on its right."""
    return f"{'abcde'[square % columns]}{square // columns + 1}"


def goal(rows: int, columns: int) -> TilesPosition:
    """Return the solved position."""
    return TilesPosition(rows, columns, tuple(range(rows * columns)))
