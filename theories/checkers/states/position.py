"""Positions of checkers: player to move, contents of the 32 dark squares, and the piece that must go on."""

from __future__ import annotations

from typing import Literal

from hornbook.kb.text.dataclass import dataclass

Player = Literal["black", "white"]
PLAYERS: tuple[Player, Player] = ("black", "white")
MEN: dict[Player, str] = {"black": "b", "white": "w"}
KINGS: dict[Player, str] = {"black": "B", "white": "W"}
EMPTY = "-"
SQUARES = 32
MOST = 12
"""Maximal number of pieces of a side."""


@dataclass(frozen=True, slots=True)
class CheckersPosition:
    """Position of checkers.

    `cells` has b and w for men, B and W for kings, and - for an empty square. The first is square 1, in the
    top row. Black plays downwards. `going` is the place of the piece that has jumped and must go on, or None.
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
    """Return the owner of a piece, or None for an empty square."""
    return None if cell == EMPTY else "black" if cell in "bB" else "white"


def number(place: int | None) -> str:
    """Return the number of a square, from 1 in the top row to 32."""
    return "" if place is None else str(place + 1)


def place(row: int, column: int) -> int | None:
    """Return the place of a dark square by its row from the top and its column, or None off the board."""
    if not (0 <= row < 8 and 0 <= column < 8):
        return None
    return 4 * row + column // 2


def row_and_column(at: int) -> tuple[int, int]:
    row = at // 4
    return row, 2 * (at % 4) + (row % 2 == 0)


def last_row(player: Player) -> range:
    """Return the places on which men of a player become kings."""
    return range(28, 32) if player == "black" else range(4)


def start() -> CheckersPosition:
    """Return the initial position; black is to move."""
    return CheckersPosition("black", "b" * 12 + EMPTY * 8 + "w" * 12)
