"""Positions of Abalone: the player to move and the content of the 61 cells, row by row from the top left."""

from __future__ import annotations

from typing import Literal

from hornbook.kb.text.dataclass import dataclass

Player = Literal["black", "white"]
PLAYERS: tuple[Player, Player] = ("black", "white")
MARBLES: dict[Player, str] = {"black": "X", "white": "O"}
EMPTY = "-"
ALL = 14
"""Number of marbles of each player at the beginning."""
LOST = 6
"""Number of lost marbles with which a player has lost the game."""
ROWS = "ihgfedcba"
"""Rows from the top.

Numbers grow to the right in a row, and stay the same along a column to the upper right.
"""
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
class AbalonePosition:
    """Position of Abalone.

    `cells` has X for a black marble, O for a white one, and - for an empty cell. The first cell is i5, the
    last a5.
    """

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
"""Names of the cells, in the order of `AbalonePosition.cells`."""
PLACES = {name: place for place, name in enumerate(NAMES)}


def neighbour(name: str, way: str) -> str | None:
    """Return the next cell in a direction, or None at the border."""
    up, right = WAYS[way]
    found = f"{chr(ord(name[0]) + up)}{int(name[1]) + right}"
    return found if found in PLACES else None


def start() -> AbalonePosition:
    """Return the usual initial position: black below, white above."""
    return AbalonePosition("black", "OOOOOOOOOOO--OOO-----------------------------XXX--XXXXXXXXXXX")
