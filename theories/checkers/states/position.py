"""Positions of checkers: whose turn it is, what stands on each of the 32 dark squares, and which piece must go on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Player = Literal["black", "white"]
PLAYERS: tuple[Player, Player] = ("black", "white")
MEN: dict[Player, str] = {"black": "b", "white": "w"}
KINGS: dict[Player, str] = {"black": "B", "white": "W"}
EMPTY = "-"
SQUARES = 32
MOST = 12
"""A side has no more pieces."""


@dataclass(frozen=True, slots=True)
class Position:
    """`cells` has b and w for men, B and W for kings, and - where nothing stands; the first is square 1, in the top row.

    Black plays downwards. `going` is the place of the piece that has jumped and must go on; None where none must.
    """

    to_move: Player
    cells: str
    going: int | None = None

    @property
    def opponent(self) -> Player:
        return other(self.to_move)


def other(player: Player) -> Player:
    return "white" if player == "black" else "black"


def owner(cell: str) -> Player | None:
    """Whose piece it is; None where nothing stands."""
    return None if cell == EMPTY else "black" if cell in "bB" else "white"


def number(place: int | None) -> str:
    """The number of a square, as players name it: from 1 in the top row to 32."""
    return "" if place is None else str(place + 1)


def place(row: int, column: int) -> int | None:
    """The place of a dark square by its row from the top and its column; None off the board."""
    if not (0 <= row < 8 and 0 <= column < 8):
        return None
    return 4 * row + column // 2


def row_and_column(at: int) -> tuple[int, int]:
    row = at // 4
    return row, 2 * (at % 4) + (row % 2 == 0)


def last_row(player: Player) -> range:
    """The places on which men of a player become kings."""
    return range(28, 32) if player == "black" else range(4)


def start() -> Position:
    """The position at which a game begins; black is to move."""
    return Position("black", "b" * 12 + EMPTY * 8 + "w" * 12)
