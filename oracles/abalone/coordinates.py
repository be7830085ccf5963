"""A second implementation of Abalone, on three coordinates that sum to 0.

It shares only the text format of a position with the shipped implementation. A move is named by the cells
that its marbles leave and by its direction, so the order of the marbles does not matter.
"""

from __future__ import annotations

from collections.abc import Iterator

Cell = tuple[int, int, int]
WAYS: tuple[Cell, ...] = ((1, -1, 0), (1, 0, -1), (0, 1, -1), (-1, 1, 0), (-1, 0, 1), (0, -1, 1))
CELLS = [(x, y, -x - y) for y in range(-4, 5) for x in range(-4, 5) if -4 <= x + y <= 4]
"""All cells in the order of the text format: rows by ascending y, each row from left to right."""
Marbles = frozenset[Cell]


def read(text: str) -> tuple[Marbles, Marbles]:
    """Return the marbles of the side to move and those of the other side."""
    rows, player = text.split()
    shown = dict(zip(CELLS, rows.replace("/", ""), strict=True))
    own, other = (frozenset(cell for cell, is_ in shown.items() if is_ == each) for each in "XO")
    return (own, other) if player == "X" else (other, own)


def plus(cell: Cell, way: Cell) -> Cell:
    return cell[0] + way[0], cell[1] + way[1], cell[2] + way[2]


def successors(own: Marbles, other: Marbles) -> Iterator[tuple[Marbles, Marbles]]:
    """Yield the position after each move, with the other side to move.

    Moves shift groups of one, two or three marbles in a row, in each direction.
    """
    if min(len(own), len(other)) <= 8:
        return
    groups = {frozenset([cell]) for cell in own}
    for cell in own:
        for along in WAYS:
            second, third = plus(cell, along), plus(plus(cell, along), along)
            groups |= {frozenset(g) for g in ((cell, second), (cell, second, third)) if set(g) <= own}
    for group in groups:
        for way in WAYS:
            new = frozenset(plus(cell, way) for cell in group)
            entered = new - group
            if entered & own or not entered <= set(CELLS):
                continue
            if not entered & other:
                yield other, own - group | new
            elif len(entered) == 1 and len(group) > 1:
                yield from _pushed(own - group | new, other, next(iter(entered)), way, len(group))


def _pushed(
    own: Marbles, other: Marbles, at: Cell, way: Cell, strength: int
) -> Iterator[tuple[Marbles, Marbles]]:
    """Push the marble at a cell, and the marbles behind it, one cell further if they are fewer than
    `strength`.
    """
    row = []
    while at in other:
        row.append(at)
        at = plus(at, way)
    if len(row) < strength and at not in own:
        yield (other - {row[0]}) | ({at} & set(CELLS)), own
