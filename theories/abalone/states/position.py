"""Positions of Abalone: whose turn it is, and what lies on each of the 61 cells, row by row from the top left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Player = Literal["black", "white"]
PLAYERS: tuple[Player, Player] = ("black", "white")
MARBLES: dict[Player, str] = {"black": "X", "white": "O"}
EMPTY = "-"
ALL = 14
"""So many marbles has each player to begin with."""
LOST = 6
"""Who has lost so many has lost the game."""
ROWS = "ihgfedcba"
"""The rows from the top; the numbers in a row go up to the right, and along a column to the upper right they are the same."""
LENGTHS = (5, 6, 7, 8, 9, 8, 7, 6, 5)
WAYS = {
    "east": (0, 1),
    "north_east": (1, 1),
    "north_west": (1, 0),
    "west": (0, -1),
    "south_west": (-1, -1),
    "south_east": (-1, 0),
}
"""The six ways, as steps of letter and number."""


@dataclass(frozen=True, slots=True)
class Position:
    """`cells` has X for a black marble, O for a white one, and - where none lies; the first is i5, the last a5."""

    to_move: Player
    cells: str

    @property
    def opponent(self) -> Player:
        return other(self.to_move)


def other(player: Player) -> Player:
    return "white" if player == "black" else "black"


def _names() -> tuple[str, ...]:
    found = []
    for row, length in zip(ROWS, LENGTHS, strict=True):
        first = max(1, ord(row) - ord("a") - 3)
        found += [f"{row}{number}" for number in range(first, first + length)]
    return tuple(found)


NAMES = _names()
"""The names of the cells, in the order of `Position.cells`."""
PLACES = {name: place for place, name in enumerate(NAMES)}


def beside(name: str, way: str) -> str | None:
    """The next cell this way, None at the border."""
    up, right = WAYS[way]
    found = f"{chr(ord(name[0]) + up)}{int(name[1]) + right}"
    return found if found in PLACES else None


def start() -> Position:
    """The standard start: black below, white above."""
    return Position("black", "OOOOOOOOOOO--OOO-----------------------------XXX--XXXXXXXXXXX")
