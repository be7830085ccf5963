"""Plain play of checkers, square by square: for reading games, for search, and for checking the theory."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from hornbook.theories.checkers.states.position import (
    EMPTY,
    KINGS,
    MEN,
    SQUARES,
    Player,
    Position,
    last_row,
    other,
    owner,
    place,
    row_and_column,
)

WAYS = ((-1, 1), (1, 1), (1, -1), (-1, -1))
"""The four ways, as rows and columns, clockwise from the north-east."""


@cache
def beside(at: int) -> tuple[int | None, ...]:
    """The next square each way, None at the border."""
    row, column = row_and_column(at)
    return tuple(place(row + down, column + right) for down, right in WAYS)


def goes(cell: str) -> tuple[int, ...]:
    """The numbers of the ways that a piece goes: a man ahead, a king everywhere."""
    return {"b": (1, 2), "w": (0, 3)}.get(cell, (0, 1, 2, 3))


def leaps(cells: str, at: int) -> Iterator[tuple[int, int]]:
    """The jumps of the piece there: over which piece, and to which square."""
    for way in goes(cells[at]):
        over = beside(at)[way]
        to = None if over is None else beside(over)[way]
        if over is not None and to is not None and cells[to] == EMPTY:
            jumped, own = owner(cells[over]), owner(cells[at])
            if jumped is not None and jumped != own:
                yield over, to


def walks(cells: str, at: int) -> Iterator[int]:
    """The squares beside it to which the piece there could step."""
    for way in goes(cells[at]):
        to = beside(at)[way]
        if to is not None and cells[to] == EMPTY:
            yield to


def held(position: Position, player: Player) -> list[int]:
    """The places of a player's pieces."""
    return [at for at in range(SQUARES) if owner(position.cells[at]) == player]


def jumps(position: Position) -> list[tuple[int, int]]:
    """The legal jumps: from where to where."""
    from_ = held(position, position.to_move) if position.going is None else [position.going]
    return [(at, to) for at in from_ for _, to in leaps(position.cells, at)]


def steps(position: Position) -> list[tuple[int, int]]:
    """The legal steps: none where anything can be captured."""
    if jumps(position):
        return []
    return [(at, to) for at in held(position, position.to_move) for to in walks(position.cells, at)]


def is_over(position: Position) -> bool:
    """Whether who is to move cannot, and so has lost."""
    return not jumps(position) and not steps(position)


def stepped(position: Position, at: int, to: int) -> Position | None:
    """The position after a step; None where that is illegal."""
    if (at, to) not in steps(position):
        return None
    return Position(position.opponent, _moved(position, at, to))


def jumped(position: Position, at: int, to: int) -> Position | None:
    """The position after one jump; None where that is illegal. It is still the same turn if the piece can jump on."""
    if (at, to) not in jumps(position):
        return None
    over = next(over for over, landing in leaps(position.cells, at) if landing == to)
    cells = _moved(position, at, to)
    cells = cells[:over] + EMPTY + cells[over + 1 :]
    if cells[to] == position.cells[at] and any(True for _ in leaps(cells, to)):
        return Position(position.to_move, cells, to)
    return Position(position.opponent, cells)


def turns(position: Position) -> Iterator[tuple[tuple[int, ...], Position]]:
    """The moves of a turn as the squares that the piece comes to, the first where it stands, and the position after each.

    A capture goes on until the piece can jump no further; two ways to one position are two moves.
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


def balance(position: Position, player: Player) -> int:
    """How many more pieces a player has than the opponent."""
    return len(held(position, player)) - len(held(position, other(player)))


def _moved(position: Position, at: int, to: int) -> str:
    """The squares after a piece went from one to another, where it may have become a king."""
    cells = list(position.cells)
    cells[to], cells[at] = cells[at], EMPTY
    if cells[to] == MEN[position.to_move] and to in last_row(position.to_move):
        cells[to] = KINGS[position.to_move]
    return "".join(cells)
