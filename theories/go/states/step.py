"""Effect of a move by a plain implementation of Go, for chains of matches, which must not use the reader.

Suicide is illegal, ko is simple ko, and the player to move is ignored. Shares no code with the reader.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields

from hornbook.theories.go.states.board import Colour, GoBoard, Player, blocks_on


def step(board: GoBoard, player: Player, point: int, to_play: Player | None = None) -> GoBoard | None:
    """Return the board after a move, or None if it is illegal. The next player is `to_play`, if known."""
    if board.colours[point] != "empty" or (point == board.ko and player == board.banned):
        return None
    adjacent = [block for block in board.blocks if point in block.liberties]
    taken = [block.stones for block in adjacent if block.colour != player and len(block.liberties) == 1]
    joined = [block for block in adjacent if block.colour == player]
    free = sum(board.colours[each] == "empty" for each in board.neighbours(point))
    if not taken and not free and all(len(block.liberties) == 1 for block in joined):
        return None
    changed = frozenset({point}).union(*taken)
    colours: list[Colour] = list(board.colours)
    for each in changed:
        colours[each] = "empty"
    colours[point] = player
    # One stone captured one, and is a single stone with no other liberty.
    is_ko = len(changed) == 2 and not free and not joined
    ko = next(each for each in changed if each != point) if is_ko else None
    return _after(board, tuple(colours), changed, ko, to_play)


def _after(
    board: GoBoard,
    colours: tuple[Colour, ...],
    changed: Iterable[int],
    ko: int | None,
    to_play: Player | None,
) -> GoBoard:
    """Return the board after a legal move that changed some points.

    Blocks not adjacent to these are unchanged.
    """
    near = {neighbour for point in changed for neighbour in (point, *board.neighbours(point))}
    stay = (block for block in board.blocks if near.isdisjoint(block.stones))
    found = sorted((*stay, *blocks_on(board, colours, near)), key=lambda block: min(block.stones))
    after = object.__new__(GoBoard)
    values = board.rows, board.columns, colours, ko, to_play, tuple(found)
    for each, value in zip(fields(GoBoard), values, strict=True):
        object.__setattr__(after, each.name, value)
    return after
