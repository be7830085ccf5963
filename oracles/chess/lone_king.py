"""King and pawn against king by files and ranks, all at once: every point of six coordinates, what each side can play there, and
where the king alone holds the draw.

A *point* is the file and rank of the pawn, of its king (the *escort*) and of the king alone, each from 1 to 8; ranks are counted as the
side with the pawn does. Points that are no positions (two men on one square) are among them: an invariant in files and ranks speaks
of these as well. Nothing here is Hornbook's; `theories/chess/endings/lone_king.horn` says the same in rules.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from oracles.chess.kpk_table import DRAWN, ILLEGAL, Plane, kpk_table

Mask = NDArray[np.bool_]
Points = NDArray[np.int16]
"""Six rows: the pawn's file and rank, the escort's, and those of the king alone; a column for each point."""

STEPS = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if (a, b) != (0, 0)]
ALL: Points = (np.indices((8,) * 6, dtype=np.int16) + 1).reshape(6, -1)
FIRST = (ALL[1] >= 2) & (ALL[1] <= 7)
"""The points at which the side with the pawn can be to move."""


def numbers(points: Points) -> NDArray[np.int64]:
    """Where points stand in ALL; -1 for one that is off the board."""
    on_board = ((points >= 1) & (points <= 8)).all(0)
    found = np.zeros(points.shape[1], dtype=np.int64)
    for row in np.clip(points, 1, 8) - 1:
        found = found * 8 + row
    return np.where(on_board, found, -1)


def _moved(points: Points, row: int, files: int, ranks: int) -> Points:
    found = points.copy()
    found[row] += files
    found[row + 1] += ranks
    return found


def _apart(points: Points) -> Mask:
    """Whether the kings are not beside each other."""
    _, _, x, y, u, v = points
    return np.maximum(abs(x - u), abs(y - v)) >= 2


def goes(points: Points) -> Iterator[tuple[Mask, Points]]:
    """Each step of the escort: where it can be made, and the points after it."""
    for a, b in STEPS:
        after = _moved(points, 2, a, b)
        on_pawn = (after[2] == after[0]) & (after[3] == after[1])
        yield (numbers(after) >= 0) & _apart(after) & ~on_pawn, after


def pushes(points: Points, ranks: int) -> tuple[Mask, Points]:
    """The pawn's move by one or two ranks, whatever stands in its way: where it is one, and the points after it."""
    after = points.copy()
    after[1] += ranks
    return points[1] <= 7 if ranks == 1 else points[1] == 2, after


def flights(points: Points, step: tuple[int, int]) -> tuple[Mask, Points]:
    """A step of the king alone that does not take the pawn: where it can be made, and the points after it."""
    after = _moved(points, 4, *step)
    p, r, _, _, u, v = after
    struck = (abs(u - p) == 1) & (v == r + 1)
    on_pawn = (u == p) & (v == r)
    return (r <= 7) & (numbers(after) >= 0) & _apart(after) & ~struck & ~on_pawn, after


def takes(points: Points) -> Mask:
    """Where the king alone can take the pawn, also one that has just been promoted."""
    p, r, x, y, u, v = points
    return (np.maximum(abs(u - p), abs(v - r)) <= 1) & (np.maximum(abs(x - p), abs(y - r)) >= 2)


def stalemates(points: Points) -> Mask:
    """Where the king alone is to move, is not in check, and has no move."""
    p, r, _, _, u, v = points
    stuck = (r <= 7) & ~((abs(u - p) == 1) & (v == r + 1)) & ~takes(points)
    for step in STEPS:
        stuck &= ~flights(points, step)[0]
    return stuck


def _at(held: Mask, points: Points) -> Mask:
    where = numbers(points)
    return np.where(where >= 0, held[where], False)


def comes_to(held: Mask, points: Points) -> Mask:
    """Where the king alone, to move, takes the pawn, is stalemated, or comes to a point that is held."""
    found = takes(points) | stalemates(points)
    for step in STEPS:
        can, after = flights(points, step)
        found |= can & _at(held, after)
    return found


def is_kept(held: Mask, points: Points) -> Mask:
    """Where each move of the side with the pawn leaves the king alone such a move."""
    kept = np.ones(points.shape[1], dtype=bool)
    for can, after in (*goes(points), pushes(points, 1), pushes(points, 2)):
        kept &= ~can | comes_to(held, after)
    return kept


def drawn(*, first: bool) -> tuple[Mask, Mask]:
    """The points that are positions, with the side of the pawn to move first or the other, and which of them the table calls drawn."""
    table: Plane = kpk_table().white_to_move if first else kpk_table().black_to_move
    p, r, x, y, u, v = (ALL - 1).astype(np.int64)
    plies = table[8 * r + p, 8 * y + x, 8 * v + u]
    legal = (ALL[1] >= 2) & (ALL[1] <= 7) & (plies != ILLEGAL)
    return legal, legal & (plies == DRAWN)
