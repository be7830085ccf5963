"""Plain implementation of Othello, for reading transcripts, for search, and for checking the theory."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from hornbook.theories.othello.states.position import DISCS, EMPTY, OthelloPosition, Player, other

STEPS = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))
"""The eight ways, as rows and columns, clockwise from the north."""


@cache
def rays(size: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Return the squares in each direction from each square, the nearest first."""
    found = []
    for square in range(size**2):
        row, column = divmod(square, size)
        ways = []
        for down, right in STEPS:
            far = range(1, size)
            ahead = [(row + n * down, column + n * right) for n in far]
            ways.append(tuple(r * size + c for r, c in ahead if 0 <= r < size and 0 <= c < size))
        found.append(tuple(ways))
    return tuple(found)


def flipped(cells: str, player: Player, square: int) -> list[int]:
    """Return the squares of the discs that a disc of the player on an empty square flips."""
    own, theirs = DISCS[player], DISCS[other(player)]
    found: list[int] = []
    for ray in rays(OthelloPosition(player, cells).size)[square]:
        run: list[int] = []
        for place in ray:
            if cells[place] != theirs:
                if cells[place] == own:
                    found += run
                break
            run.append(place)
    return found


def places(position: OthelloPosition, player: Player) -> Iterator[int]:
    """Yield the squares on which a player may put a disc when it is that player's turn."""
    cells = position.cells
    yield from (s for s, cell in enumerate(cells) if cell == EMPTY and flipped(cells, player, s))


def must_pass(position: OthelloPosition) -> bool:
    """Return whether the player to move has no move, and the opponent has one."""
    return not any(True for _ in places(position, position.to_move)) and any(
        True for _ in places(position, position.opponent)
    )


def is_over(position: OthelloPosition) -> bool:
    """Return whether neither player has a move."""
    return not any(True for player in DISCS for _ in places(position, player))


def put(position: OthelloPosition, square: int) -> OthelloPosition | None:
    """Return the position after a disc is put on a square, or None if that is illegal."""
    if position.cells[square] != EMPTY:
        return None
    turned = flipped(position.cells, position.to_move, square)
    if not turned:
        return None
    cells = list(position.cells)
    for place in (square, *turned):
        cells[place] = DISCS[position.to_move]
    return OthelloPosition(position.opponent, "".join(cells))


def passed(position: OthelloPosition) -> OthelloPosition:
    """Return the position after a pass."""
    return OthelloPosition(position.opponent, position.cells)


def difference(position: OthelloPosition, player: Player) -> int:
    """Return the lead of a player in discs."""
    return position.cells.count(DISCS[player]) - position.cells.count(DISCS[other(player)])
