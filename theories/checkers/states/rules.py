"""Plain implementation of checkers, for reading games, for search, and for checking the theory."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from hornbook.theories.checkers.states.position import (
    EMPTY,
    KINGS,
    MEN,
    SQUARES,
    CheckersPosition,
    Player,
    last_row,
    other,
    owner,
    place,
    row_and_column,
)

WAYS = ((-1, 1), (1, 1), (1, -1), (-1, -1))
"""The four ways, as rows and columns, clockwise from the north-east."""


@cache
def neighbours(at: int) -> tuple[int | None, ...]:
    """Return the neighbour in each direction, None at the border."""
    row, column = row_and_column(at)
    return tuple(place(row + down, column + right) for down, right in WAYS)


def goes(cell: str) -> tuple[int, ...]:
    """Return the directions of a piece as indices: forward for a man, all for a king."""
    return {"b": (1, 2), "w": (0, 3)}.get(cell, (0, 1, 2, 3))


def leaps(cells: str, at: int) -> Iterator[tuple[int, int]]:
    """Yield the jumps of a piece, each as the jumped place and the target."""
    for way in goes(cells[at]):
        over = neighbours(at)[way]
        to = None if over is None else neighbours(over)[way]
        if over is not None and to is not None and cells[to] == EMPTY:
            jumped, own = owner(cells[over]), owner(cells[at])
            if jumped is not None and jumped != own:
                yield over, to


def walks(cells: str, at: int) -> Iterator[int]:
    """Yield the adjacent squares that a piece could step to."""
    for way in goes(cells[at]):
        to = neighbours(at)[way]
        if to is not None and cells[to] == EMPTY:
            yield to


def pieces_of(position: CheckersPosition, player: Player) -> list[int]:
    """Return the places of a player's pieces."""
    return [at for at in range(SQUARES) if owner(position.cells[at]) == player]


def jumps(position: CheckersPosition) -> list[tuple[int, int]]:
    """Return the legal jumps as pairs of start and target."""
    from_ = pieces_of(position, position.to_move) if position.going is None else [position.going]
    return [(at, to) for at in from_ for _, to in leaps(position.cells, at)]


def steps(position: CheckersPosition) -> list[tuple[int, int]]:
    """Return the legal steps. There are none if a capture is possible."""
    if jumps(position):
        return []
    return [(at, to) for at in pieces_of(position, position.to_move) for to in walks(position.cells, at)]


def is_over(position: CheckersPosition) -> bool:
    """Return whether the player to move has no move, and so has lost."""
    return not jumps(position) and not steps(position)


def stepped(position: CheckersPosition, at: int, to: int) -> CheckersPosition | None:
    """Return the position after a step, or None if it is illegal."""
    if (at, to) not in steps(position):
        return None
    return CheckersPosition(position.opponent, _moved(position, at, to))


def jumped(position: CheckersPosition, at: int, to: int) -> CheckersPosition | None:
    """Return the position after one jump, or None if it is illegal.

    The turn goes on if the piece can jump again.
    """
    if (at, to) not in jumps(position):
        return None
    over = next(over for over, landing in leaps(position.cells, at) if landing == to)
    cells = _moved(position, at, to)
    cells = cells[:over] + EMPTY + cells[over + 1 :]
    if cells[to] == position.cells[at] and any(True for _ in leaps(cells, to)):
        return CheckersPosition(position.to_move, cells, to)
    return CheckersPosition(position.opponent, cells)


def turns(position: CheckersPosition) -> Iterator[tuple[tuple[int, ...], CheckersPosition]]:
    """Yield the moves of a turn, each as the visited squares (the start first), with the position after it.

    A capture goes on until the piece can jump no further. Two paths to one position are two moves.
    """
    for at, to in steps(position):
        after = stepped(position, at, to)
        assert after is not None
        yield (at, to), after
    for at, to in jumps(position):
        after = jumped(position, at, to)
        assert after is not None
        if after.going is None:
            yield (at, to), after
        else:
            yield from (((at, *rest), last) for rest, last in turns(after))


def balance(position: CheckersPosition, player: Player) -> int:
    """Return the lead of a player in pieces."""
    return len(pieces_of(position, player)) - len(pieces_of(position, other(player)))


def _moved(position: CheckersPosition, at: int, to: int) -> str:
    """Return the squares after a move of a piece, which may have become a king."""
    cells = list(position.cells)
    cells[to], cells[at] = cells[at], EMPTY
    if cells[to] == MEN[position.to_move] and to in last_row(position.to_move):
        cells[to] = KINGS[position.to_move]
    return "".join(cells)
