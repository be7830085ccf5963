"""Board of Go: a single position, without history.

This module neither plays moves nor looks ahead; the theory defines the effect of a move.

Points are numbers, counted from the lower left corner along each row. In texts and facts their names are
column letter and row number, with rows counted from the bottom and without `i`, as is usual: `a1`, `h8`,
`j9`. Columns beyond `z` are `aa`, `ab`, ….

Invariants: a board is frozen and legal. Every block has a liberty, and a capture can have led to the ko ban.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field
from functools import lru_cache
from itertools import product
from typing import Literal, NamedTuple

from hornbook.kb.hornbook_error import HornbookError
from hornbook.kb.text.counts import counted
from hornbook.kb.text.dataclass import dataclass

Colour = Literal["black", "white", "empty"]
Player = Literal["black", "white"]

PLAYERS: tuple[Player, Player] = ("black", "white")
MAX_SIDE = 52
"""Maximal number of rows or columns, limited by SGF."""
_LETTERS = "abcdefghjklmnopqrstuvwxyz"


class BoardError(HornbookError, ValueError):
    """Error for stones or a ko that no position of Go can have; the message says which."""


class Block(NamedTuple):
    """Stones of one colour joined along lines, with their adjacent empty points and opponent's stones."""

    colour: Player
    stones: frozenset[int]
    liberties: frozenset[int]
    contacts: frozenset[int]


@dataclass(frozen=True, slots=True)
class GoBoard:
    """Position of any size.

    There is one of `colours` for every point. Simple ko forbids the empty point `ko` to one player, for whom
    a move there would be a recapture; the other player may fill it. The next player is `to_play`, if known.
    Raises BoardError if a block has no liberty, or if no capture can have led to the ko.
    """

    rows: int
    columns: int
    colours: tuple[Colour, ...]
    ko: int | None = None
    to_play: Player | None = None
    blocks: tuple[Block, ...] = field(init=False, compare=False, repr=False)
    """Blocks, ordered by their lowest points."""

    def __post_init__(self) -> None:
        if not (1 <= self.rows <= MAX_SIDE and 1 <= self.columns <= MAX_SIDE):
            raise BoardError(
                f"a board has 1 to {MAX_SIDE} rows and columns, not {self.rows} and {self.columns}"
            )
        if len(self.colours) != self.rows * self.columns:
            raise BoardError(
                f"{counted(len(self.colours), 'colour')} for {counted(self.rows * self.columns, 'point')}"
            )
        object.__setattr__(self, "blocks", blocks_on(self, self.colours, self.points()))
        for block in self.blocks:
            if not block.liberties:
                raise BoardError(f"the {block.colour} block at {self.name(min(block.stones))} has no liberty")
        if self.ko is not None:
            self._check_ko(self.ko)

    def _check_ko(self, ko: int) -> None:
        """Check that the ban may follow the capture of one stone by a single stone with one liberty."""
        adjacent = [block for block in self.blocks if ko in block.liberties]
        in_atari = [block for block in adjacent if len(block.liberties) == 1]
        surrounded = all(self.colours[point] != "empty" for point in self.neighbours(ko))
        if (
            self.colours[ko] != "empty"
            or not surrounded
            or len({block.colour for block in adjacent}) != 1
            or [len(block.stones) for block in in_atari] != [1]
        ):
            raise BoardError(f"no capture can have led to a ko at {self.name(ko)}")
        if self.to_play == in_atari[0].colour:
            raise BoardError(f"{self.to_play} has just captured at {self.name(ko)} and cannot be to play")

    @property
    def banned(self) -> Player | None:
        """Player that simple ko keeps from playing at `ko`."""
        if self.ko is None:
            return None
        return "white" if self.colours[self.neighbours(self.ko)[0]] == "black" else "black"

    def points(self) -> range:
        return range(self.rows * self.columns)

    def neighbours(self, point: int) -> tuple[int, ...]:
        """Return the neighbours of a point: two to four, fewer on boards one point wide."""
        return _neighbours(self.rows, self.columns)[point]

    def name(self, point: int) -> str:
        """Return the name of a point."""
        row, column = divmod(point, self.columns)
        return f"{column_name(column)}{row + 1}"

    def has(self, name: str) -> bool:
        """Return whether a point with this name exists."""
        return name in _points(self.rows, self.columns)

    def point(self, name: str) -> int:
        """Return the point with this name, in letters of either case.

        Raise BoardError if the board has none.
        """
        point = _points(self.rows, self.columns).get(name.lower())
        if point is not None:
            return point
        last = f"{column_name(self.columns - 1)}{self.rows}"
        raise BoardError(
            f"`{name}` is not a point of this board: they are a1 to {last}, without the letter i"
        )


def column_name(column: int) -> str:
    """Return the letters of a column, counted from 0: a … z without i, then aa, ab, …."""
    first, second = divmod(column, len(_LETTERS))
    return (_LETTERS[first - 1] if first else "") + _LETTERS[second]


@lru_cache(maxsize=64)
def _points(rows: int, columns: int) -> dict[str, int]:
    """Return the points of a board of this shape by their names."""
    names = (f"{column_name(column)}{row + 1}" for row, column in product(range(rows), range(columns)))
    return {name: point for point, name in enumerate(names)}


@lru_cache(maxsize=64)
def _neighbours(rows: int, columns: int) -> list[tuple[int, ...]]:
    found = []
    for row, column in product(range(rows), range(columns)):
        adjacent = ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))
        found.append(tuple(r * columns + c for r, c in adjacent if 0 <= r < rows and 0 <= c < columns))
    return found


def blocks_on(board: GoBoard, colours: Sequence[Colour], points: Iterable[int]) -> tuple[Block, ...]:
    """Return the blocks with a stone on one of these points, on a board of this shape with these colours."""
    neighbours = _neighbours(board.rows, board.columns)
    found: list[Block] = []
    seen: set[int] = set()
    for point in points:
        colour = colours[point]
        if colour != "empty" and point not in seen:
            found.append(_block(colours, colour, neighbours, point))
            seen |= found[-1].stones
    return tuple(found)


def _block(
    colours: Sequence[Colour], colour: Player, neighbours: Sequence[Iterable[int]], start: int
) -> Block:
    stones, liberties, contacts = {start}, set[int](), set[int]()
    unvisited = [start]
    while unvisited:
        for neighbour in neighbours[unvisited.pop()]:
            there = colours[neighbour]
            if there == "empty":
                liberties.add(neighbour)
            elif there != colour:
                contacts.add(neighbour)
            elif neighbour not in stones:
                stones.add(neighbour)
                unvisited.append(neighbour)
    return Block(colour, frozenset(stones), frozenset(liberties), frozenset(contacts))
