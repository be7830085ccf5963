"""King and pawn against king by files and ranks: all points of six coordinates, their moves, and the draws.

A *point* is the file and rank of the pawn, of its king (the *escort*) and of the lone king, each from 1 to 8.
Ranks are counted from the pawn's side. Points include impossible positions (two men on one square), since an
invariant in files and ranks covers these as well. This module uses no code of Hornbook;
`theories/chess/endings/lone_king.horn` states the same as rules.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from oracles.chess.kpk_table import DRAWN, ILLEGAL, Plane, kpk_table

Mask = NDArray[np.bool_]
Points = NDArray[np.int16]
"""Six rows: the pawn's file and rank, the escort's, and those of the lone king; a column for each point."""

STEPS = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if (a, b) != (0, 0)]
ALL: Points = (np.indices((8,) * 6, dtype=np.int16) + 1).reshape(6, -1)
FIRST = (ALL[1] >= 2) & (ALL[1] <= 7)
"""The points at which the side with the pawn can be to move."""


def numbers(points: Points) -> NDArray[np.int64]:
    """Return the indices of points in ALL; -1 for a point off the board."""
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
    """Return whether the kings are not adjacent."""
    _, _, x, y, u, v = points
    return np.maximum(abs(x - u), abs(y - v)) >= 2


def goes(points: Points) -> Iterator[tuple[Mask, Points]]:
    """Yield each step of the escort: a mask of the points where it is possible, and the points after it."""
    for a, b in STEPS:
        after = _moved(points, 2, a, b)
        on_pawn = (after[2] == after[0]) & (after[3] == after[1])
        yield (numbers(after) >= 0) & _apart(after) & ~on_pawn, after


def pushes(points: Points, ranks: int) -> tuple[Mask, Points]:
    """Return where the pawn can move one or two ranks, regardless of obstacles, and the points after it."""
    after = points.copy()
    after[1] += ranks
    return points[1] <= 7 if ranks == 1 else points[1] == 2, after


def flights(points: Points, step: tuple[int, int]) -> tuple[Mask, Points]:
    """Return where the lone king can make a step that does not take the pawn, and the points after it."""
    after = _moved(points, 4, *step)
    p, r, _, _, u, v = after
    struck = (abs(u - p) == 1) & (v == r + 1)
    on_pawn = (u == p) & (v == r)
    return (r <= 7) & (numbers(after) >= 0) & _apart(after) & ~struck & ~on_pawn, after


def takes(points: Points) -> Mask:
    """Return where the lone king can take the pawn, also one that has just been promoted."""
    p, r, x, y, u, v = points
    return (np.maximum(abs(u - p), abs(v - r)) <= 1) & (np.maximum(abs(x - p), abs(y - r)) >= 2)


def stalemates(points: Points) -> Mask:
    """Return where the lone king is to move, is not in check, and has no move."""
    p, r, _, _, u, v = points
    stuck = (r <= 7) & ~((abs(u - p) == 1) & (v == r + 1)) & ~takes(points)
    for step in STEPS:
        stuck &= ~flights(points, step)[0]
    return stuck


def drawn(*, first: bool) -> tuple[Mask, Mask]:
    """Return the legal points, with the given side to move, and those that the table calls drawn."""
    table: Plane = kpk_table().white_to_move if first else kpk_table().black_to_move
    p, r, x, y, u, v = (ALL - 1).astype(np.int64)
    plies = table[8 * r + p, 8 * y + x, 8 * v + u]
    legal = (ALL[1] >= 2) & (ALL[1] <= 7) & (plies != ILLEGAL)
    return legal, legal & (plies == DRAWN)
