"""Positions of Othello: the player to move and the content of each square, row by row from the top left."""

from __future__ import annotations

from math import isqrt
from typing import Literal

from hornbook.kb.text.dataclass import dataclass

Player = Literal["black", "white"]
PLAYERS: tuple[Player, Player] = ("black", "white")
DISCS: dict[Player, str] = {"black": "X", "white": "O"}
EMPTY = "-"
SIZES = (4, 6, 8)
"""Numbers of rows and columns of boards."""


@dataclass(frozen=True, slots=True)
class OthelloPosition:
    """Position of Othello.

    `cells` has X for a black disc, O for a white one, and - for an empty square. The first is
    a1, the second b1.
    """

    to_move: Player
    cells: str

    @property
    def size(self) -> int:
        return isqrt(len(self.cells))

    @property
    def opponent(self) -> Player:
        return other(self.to_move)


def other(player: Player) -> Player:
    return "white" if player == "black" else "black"


def name(square: int, size: int) -> str:
    """Return the name of a square by its place: a1 is in the top left corner, h8 in the bottom right."""
    return f"{'abcdefgh'[square % size]}{square // size + 1}"


def place(square: str, size: int) -> int | None:
    """Return the place of a square by its name, or None if the board has no such square."""
    return _PLACES[size].get(square)


def corners(size: int) -> tuple[int, int, int, int]:
    return 0, size - 1, size * (size - 1), size**2 - 1


def start(size: int = 8) -> OthelloPosition:
    """Return the initial position: white on d4 and e5, black on e4 and d5."""
    middle = size // 2
    cells = [EMPTY] * size**2
    for row, column, disc in ((-1, -1, "O"), (-1, 0, "X"), (0, -1, "X"), (0, 0, "O")):
        cells[(middle + row) * size + middle + column] = disc
    return OthelloPosition("black", "".join(cells))


_PLACES = {size: {name(square, size): square for square in range(size**2)} for size in SIZES}
