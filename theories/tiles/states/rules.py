"""Plain play of sliding tiles, square by square: for search, and for checking the theory."""

from __future__ import annotations

from collections.abc import Iterator

from hornbook.theories.tiles.states.position import BLANK, Position, goal


def beside(square: int, rows: int, columns: int) -> Iterator[int]:
    """The squares above, on the left, on the right and below."""
    row, column = divmod(square, columns)
    if row > 0:
        yield square - columns
    if column > 0:
        yield square - 1
    if column < columns - 1:
        yield square + 1
    if row < rows - 1:
        yield square + columns


def is_solved(position: Position) -> bool:
    return position == goal(position.rows, position.columns)


def beside_the_blank(position: Position) -> list[int]:
    """The tiles that could slide if the puzzle went on."""
    blank = position.tiles.index(BLANK)
    return [position.tiles[square] for square in beside(blank, position.rows, position.columns)]


def slid(position: Position, tile: int) -> Position:
    """The position after a tile beside the blank slides, whether or not the puzzle was solved."""
    tiles = list(position.tiles)
    blank, square = tiles.index(BLANK), tiles.index(tile)
    tiles[blank], tiles[square] = tile, BLANK
    return Position(position.rows, position.columns, tuple(tiles))


def far(tile: int, square: int, columns: int) -> int:
    """How many slides a tile needs from a square to its own, if no other tile were there."""
    (row, column), (own_row, own_column) = divmod(square, columns), divmod(tile, columns)
    return abs(row - own_row) + abs(column - own_column)


def distance(position: Position) -> int:
    """How many slides the tiles would need in all, if each could slide over the others: never more than they need."""
    return sum(far(t, square, position.columns) for square, t in enumerate(position.tiles) if t != BLANK)


def is_solvable(position: Position) -> bool:
    """Whether slides lead to the solved position: the permutation of the numbers is even just if the blank is an even number
    of slides from its corner.
    """
    seen: set[int] = set()
    swaps = 0
    for first in range(len(position.tiles)):
        square = first
        while square not in seen:
            seen.add(square)
            square = position.tiles[square]
            swaps += square not in seen
    return (swaps - far(BLANK, position.tiles.index(BLANK), position.columns)) % 2 == 0
