"""Plain implementation of sliding tiles, square by square, for search and for checking the theory."""

from __future__ import annotations

from collections.abc import Iterator

from hornbook.theories.tiles.states.position import BLANK, TilesPosition, goal


def neighbours(square: int, rows: int, columns: int) -> Iterator[int]:
    """Yield the squares above, on the left, on the right and below."""
    row, column = divmod(square, columns)
    if row > 0:
        yield square - columns
    if column > 0:
        yield square - 1
    if column < columns - 1:
        yield square + 1
    if row < rows - 1:
        yield square + columns


def is_solved(position: TilesPosition) -> bool:
    return position == goal(position.rows, position.columns)


def movable_tiles(position: TilesPosition) -> list[int]:
    """Return the tiles that could slide if the puzzle went on."""
    blank = position.tiles.index(BLANK)
    return [position.tiles[square] for square in neighbours(blank, position.rows, position.columns)]


def slid(position: TilesPosition, tile: int) -> TilesPosition:
    """Return the position after a slide of a tile next to the blank, even if the puzzle was solved."""
    tiles = list(position.tiles)
    blank, square = tiles.index(BLANK), tiles.index(tile)
    tiles[blank], tiles[square] = tile, BLANK
    return TilesPosition(position.rows, position.columns, tuple(tiles))


def far(tile: int, square: int, columns: int) -> int:
    """Return the number of slides that a tile needs to its square if there were no other tiles."""
    (row, column), (own_row, own_column) = divmod(square, columns), divmod(tile, columns)
    return abs(row - own_row) + abs(column - own_column)


def distance(position: TilesPosition) -> int:
    """Return the sum of the tiles' distances, a lower bound on the slides."""
    return sum(far(t, square, position.columns) for square, t in enumerate(position.tiles) if t != BLANK)


def is_solvable(position: TilesPosition) -> bool:
    """Return whether slides lead to the solved position.

    They do if and only if the parity of the permutation equals the parity of the blank's distance from its
    corner.
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
