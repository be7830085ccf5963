"""Plain implementation of Abalone, cell by cell, for search and for checking the theory."""

from __future__ import annotations

from collections.abc import Iterator

from hornbook.kb.text.dataclass import dataclass
from hornbook.theories.abalone.states.position import (
    ALL,
    EMPTY,
    LOST,
    MARBLES,
    NAMES,
    PLACES,
    PLAYERS,
    WAYS,
    AbalonePosition,
    Player,
    neighbour,
    other,
)

LINES = ("east", "north_east", "north_west")
"""One way of each pair of opposite ways.

A row that steps sideways is named from the end that lies against it.
"""
NEXT = {(name, way): neighbour(name, way) for name in NAMES for way in WAYS}
_ORDER = tuple(WAYS)


@dataclass(frozen=True, slots=True)
class Push:
    """Move of one to three marbles along their row, which may push fewer marbles of the opponent; `cell` is
    the rearmost.
    """

    cell: str
    way: str


@dataclass(frozen=True, slots=True)
class SideStep:
    """Sideways move of two or three marbles in a row, from `cell` on along `line`, to empty cells."""

    cell: str
    line: str
    marbles: int
    way: str


Move = Push | SideStep


def parallel(line: str, way: str) -> bool:
    return (_ORDER.index(line) - _ORDER.index(way)) % 3 == 0


def row(cells: str, cell: str | None, way: str, marble: str) -> list[str]:
    """Return the longest run of cells with marbles of one colour from a cell on."""
    found = []
    while cell is not None and cells[PLACES[cell]] == marble:
        found.append(cell)
        cell = NEXT[cell, way]
    return found


def pushed(position: AbalonePosition, move: Push) -> AbalonePosition | None:
    """Return the position after a push, or None if it is illegal."""
    cells, mine = position.cells, MARBLES[position.to_move]
    own = row(cells, move.cell, move.way, mine)
    if not 1 <= len(own) <= 3:
        return None
    front = NEXT[own[-1], move.way]
    theirs = row(cells, front, move.way, MARBLES[position.opponent])
    if front is None or len(theirs) >= len(own):
        return None
    changed = {move.cell: EMPTY, front: mine}
    if theirs:
        beyond = NEXT[theirs[-1], move.way]
        if beyond is not None and cells[PLACES[beyond]] != EMPTY:
            return None
        if beyond is not None:
            changed[beyond] = MARBLES[position.opponent]
    elif cells[PLACES[front]] != EMPTY:
        return None
    return _changed(position, changed)


def stepped(position: AbalonePosition, move: SideStep) -> AbalonePosition | None:
    """Return the position after a sideways step, or None if it is illegal."""
    if move.marbles not in (2, 3) or move.line not in LINES or parallel(move.line, move.way):
        return None
    mine = MARBLES[position.to_move]
    own = row(position.cells, move.cell, move.line, mine)[: move.marbles]
    to = [NEXT[cell, move.way] for cell in own]
    if len(own) < move.marbles or any(c is None or position.cells[PLACES[c]] != EMPTY for c in to):
        return None
    return _changed(position, dict.fromkeys(own, EMPTY) | {c: mine for c in to if c is not None})


def _changed(position: AbalonePosition, changed: dict[str, str]) -> AbalonePosition:
    cells = list(position.cells)
    for name, cell in changed.items():
        cells[PLACES[name]] = cell
    return AbalonePosition(position.opponent, "".join(cells))


def after(position: AbalonePosition, move: Move) -> AbalonePosition | None:
    """Return the position after a move, or None if it is illegal."""
    if winner(position) is not None or move.cell not in PLACES or move.way not in WAYS:
        return None
    return pushed(position, move) if isinstance(move, Push) else stepped(position, move)


def moves(position: AbalonePosition) -> Iterator[Move]:
    """Yield the legal moves. There are none after a player has lost six marbles."""
    for cell in NAMES:
        if position.cells[PLACES[cell]] != MARBLES[position.to_move]:
            continue
        found: list[Move] = [Push(cell, way) for way in WAYS]
        for line in LINES:
            marbles = len(row(position.cells, cell, line, MARBLES[position.to_move]))
            found += [SideStep(cell, line, n, way) for n in (2, 3) if n <= marbles for way in WAYS]
        yield from (move for move in found if after(position, move) is not None)


def pushes(position: AbalonePosition, move: Move) -> bool:
    """Return whether a legal move pushes marbles of the opponent."""
    return isinstance(move, Push) and bool(_before(position, move))


def pushes_off(position: AbalonePosition, move: Move) -> bool:
    """Return whether a legal move pushes a marble off the board."""
    return pushes(position, move) and NEXT[_before(position, move)[-1], move.way] is None


def _before(position: AbalonePosition, move: Move) -> list[str]:
    """Return the cells of the opponent's marbles in front of a row that moves along itself."""
    own = row(position.cells, move.cell, move.way, MARBLES[position.to_move])
    return row(position.cells, NEXT[own[-1], move.way], move.way, MARBLES[position.opponent])


def lost(position: AbalonePosition, player: Player) -> int:
    """Return the number of lost marbles of a player."""
    return ALL - position.cells.count(MARBLES[player])


def winner(position: AbalonePosition) -> Player | None:
    """Return the player with six marbles pushed off, or None."""
    return next((player for player in PLAYERS if lost(position, other(player)) >= LOST), None)
