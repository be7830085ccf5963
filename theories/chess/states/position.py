"""Positions of chess: men, player to move, castling rights and captures in passing.

This module neither moves nor looks ahead: `rules.py` does, and the theory has its own rules.

Squares are numbers, counted from a1 along each rank; in texts and facts they are named a1 to h8. Men are the
letters of FEN, capitals for White.

Invariants: a position is frozen. It has one king of each colour, and no pawn on a first or last rank. For
each castling right, the king and a rook are on their home squares. For each passed square, there is a pawn
that has just made a double step.
"""

from __future__ import annotations

from typing import Literal

from hornbook.kb.hornbook_error import HornbookError
from hornbook.kb.text.counts import counted
from hornbook.kb.text.dataclass import dataclass

Player = Literal["white", "black"]

PLAYERS: tuple[Player, Player] = ("white", "black")
OTHER: dict[Player, Player] = {"white": "black", "black": "white"}
KINDS: dict[str, str] = {
    "k": "king",
    "q": "queen",
    "r": "rook",
    "b": "bishop",
    "n": "knight",
    "p": "pawn",
}
EMPTY = "."
NAMES: tuple[str, ...] = tuple(f"{file}{rank}" for rank in range(1, 9) for file in "abcdefgh")
RIGHTS: dict[str, tuple[str, str]] = {
    "K": ("e1", "h1"),
    "Q": ("e1", "a1"),
    "k": ("e8", "h8"),
    "q": ("e8", "a8"),
}
"""Castling rights as in FEN, with the home squares of king and rook."""
WINGS: dict[str, str] = {"K": "king_side", "Q": "queen_side"}


class PositionError(HornbookError, ValueError):
    """Error for an impossible position or a square that does not exist; the message says which."""


def square(name: str) -> int:
    """Return the number of a square. Raise PositionError if there is none with this name."""
    if len(name) == 2 and name[0] in "abcdefgh" and name[1] in "12345678":
        return "abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1)
    raise PositionError(f"`{name}` is not a square: they are a1 to h8")


def colour(man: str) -> Player:
    return "white" if man.isupper() else "black"


@dataclass(frozen=True, slots=True)
class ChessPosition:
    """Position of chess.

    The field `men` has a letter for each square, from a1 to h8, or a point for an empty square. The field
    `rights` is a subset of `KQkq` in this order. A pawn has just passed over the square `passed`, whether or
    not it can be captured there. As in FEN, `quiet_plies` counts plies since a capture or a pawn's move, and
    `number` is the number of the move. Raises PositionError if the position is impossible.
    """

    men: str
    to_move: Player = "white"
    rights: str = ""
    passed: int | None = None
    quiet_plies: int = 0
    number: int = 1

    def __post_init__(self) -> None:
        if len(self.men) != 64:
            raise PositionError(f"a board has 64 squares, not {len(self.men)}")
        for player, king in (("White", "K"), ("Black", "k")):
            if self.men.count(king) != 1:
                raise PositionError(f"{player} has {counted(self.men.count(king), 'king')}")
        for place in (*range(8), *range(56, 64)):
            if self.men[place] in "Pp":
                raise PositionError(f"a pawn on {NAMES[place]}: no pawn stands on a first or last rank")
        if "".join(right for right in RIGHTS if right in self.rights) != self.rights:
            raise PositionError(f"`{self.rights}` is not some of KQkq in this order")
        for right in self.rights:
            self._check_right(right)
        if self.passed is not None:
            self._check_passed(self.passed)

    def _check_right(self, right: str) -> None:
        king, rook = ("K", "R") if right.isupper() else ("k", "r")
        king_home, rook_home = RIGHTS[right]
        if self.at(king_home) != king or self.at(rook_home) != rook:
            raise PositionError(
                f"the right `{right}` to castle needs a king on {king_home} and a rook on {rook_home}"
            )

    def _check_passed(self, passed: int) -> None:
        up, pawn, rank = (-8, "p", 5) if self.to_move == "white" else (8, "P", 2)
        if passed // 8 != rank:
            expected = rank + 1
            raise PositionError(f"with {self.to_move} to move, the square passed over is on rank {expected}")
        home, stands = passed - up, passed + up
        if self.men[stands] != pawn or self.men[passed] != EMPTY or self.men[home] != EMPTY:
            raise PositionError(f"no pawn can just have passed over {NAMES[passed]}")

    def at(self, name: str) -> str:
        """Return the man on a square given by name."""
        return self.men[square(name)]

    def king(self, player: Player) -> int:
        return self.men.index("K" if player == "white" else "k")
