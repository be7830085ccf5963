"""Handicap stones: the fixed points of the Go Text Protocol, and points for freely placed stones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hornbook.theories.go.states.board import BoardError, Colour, GoBoard

LEAST = 2
"""Minimal number of stones of a handicap, and of rows of its board."""
_SMALLEST = 7
"""Rows of the smallest board with fixed points."""


def fixed_points(board: GoBoard, stones: int) -> list[str] | None:
    """Return the points of a fixed handicap, or None if the protocol does not define it for the board."""
    points = _points(board, stones)
    return points if board.rows >= _SMALLEST and LEAST <= stones == len(points) else None


def free_points(board: GoBoard, stones: int) -> list[str] | None:
    """Return the points for a handicap of `stones` stones, or None for an impossible number.

    On small boards and for many stones, fewer points may be returned.
    """
    return _points(board, stones) if LEAST <= stones < board.rows * board.columns else None


def _points(board: GoBoard, stones: int) -> list[str]:
    """Return up to `stones` star points: corners, the middle for 5, 7 and 9, then the sides."""
    side = board.rows
    low = 3 if side >= 13 else 2 if side >= _SMALLEST else min(1, side // 3)
    high, middle = side - 1 - low, side // 2
    corners = [(low, low), (high, high), (high, low), (low, high)]
    has_middle = side % 2 == 1 and side >= 9
    number = min(stones, 9 if has_middle else 4)
    places = corners[:number]
    if number >= 6:
        places += [(middle, low), (middle, high)]
    if number >= 8:
        places += [(low, middle), (high, middle)]
    if number in (5, 7, 9):
        places.append((middle, middle))
    return [board.name(row * side + column) for row, column in places]


def placed(board: GoBoard, points: Sequence[str]) -> GoBoard | None:
    """Return an empty board with black handicap stones and white to play, or None if they are invalid."""
    try:
        stones = {board.point(name) for name in points}
    except BoardError:
        return None
    if not LEAST <= len(stones) == len(points) < board.rows * board.columns:
        return None
    colours: list[Colour] = ["black" if point in stones else "empty" for point in board.points()]
    return replace(board, colours=tuple(colours), ko=None, to_play="white")
