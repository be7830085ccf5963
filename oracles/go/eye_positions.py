"""Boards with blocks enclosed at an edge, with little space and a few stones inside, where eyes are made and
lost.
"""

from __future__ import annotations

from random import Random

from hornbook.theories.go.states.board import PLAYERS, BoardError, Colour, GoBoard, Player
from oracles.go.plain_go import OTHER


def shut_in(random: Random) -> tuple[GoBoard, int]:
    """Return a board, and a point inside a space that one player's stones enclose, perhaps incompletely."""
    while True:
        side = random.choice((5, 6, 7))
        owner: Player = random.choice(PLAYERS)
        wide, high = random.randrange(2, side), random.choice((1, 1, 2, 2, 3))
        left = random.choice((0, 0, random.randrange(side - wide + 1)))
        room = {(r, c) for r in range(high) for c in range(left, left + wide)}
        colours: list[Colour] = []
        for point in range(side**2):
            row, column = divmod(point, side)
            near = min(abs(row - r) + abs(column - c) for r, c in room)
            if near == 0:
                colours.append(_one_of(random, (0.6, "empty"), (0.3, owner), (0.1, OTHER[owner])))
            elif near == 1:
                colours.append(_one_of(random, (0.92, owner), (0.04, "empty"), (0.04, OTHER[owner])))
            else:
                colours.append(_one_of(random, (0.6, OTHER[owner]), (0.35, "empty"), (0.05, owner)))
        turn = random.randrange(4)
        try:
            return _turned(GoBoard(side, side, tuple(colours)), turn), random.choice(
                [_turn(side, r * side + c, turn) for r, c in sorted(room)]
            )
        except BoardError:
            continue


def _one_of(random: Random, *chances: tuple[float, Colour]) -> Colour:
    weights, colours = zip(*chances, strict=True)
    return random.choices(colours, weights)[0]  # type: ignore[no-any-return]


def _turn(side: int, point: int, turn: int) -> int:
    row, column = divmod(point, side)
    for _ in range(turn):
        row, column = column, side - 1 - row
    return row * side + column


def _turned(board: GoBoard, turn: int) -> GoBoard:
    colours: list[Colour] = list(board.colours)
    for point in board.points():
        colours[_turn(board.columns, point, turn)] = board.colours[point]
    return GoBoard(board.rows, board.columns, tuple(colours))


def about(board: GoBoard, point: int) -> list[int]:
    """Return the points within distance two of a point."""
    row, column = divmod(point, board.columns)
    return [
        other
        for other in board.points()
        if abs(other // board.columns - row) + abs(other % board.columns - column) <= 2
    ]
