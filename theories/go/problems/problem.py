"""A capture problem: a board, a target, and what is known of its solution.

A problem is consistent: there is a stone on the target, its owner's opponent is to play, the solution's moves are
empty points, and nothing is banned by ko at the start. Points are the board's numbers; in files, and in what
people read of problems, they are the letters of SGF: the column, then the row from the top.

The value of a game tells both sides' chances, the attacker's move first: `GG` captured whoever starts, `GP`
captured if the attacker starts and escaped if the defender does, `GI` captured if the attacker starts and the rest
unsettled, `PP` not captured even if the attacker starts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from hornbook.theories.go.states.board import Block, Board, BoardError, Player

Value = Literal["GG", "GP", "GI", "PP"]
VALUES: tuple[Value, ...] = get_args(Value)
LARGEST_SIZE = 26
"""Points to a side, beyond which letters do not reach."""
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class Problem:
    """`board.to_play` is the attacker. A `value` of None says that the solution is not known.

    `depth` counts the plies to the capture, attacker first, None where there is none; `depth_defender_first`
    counts them from the defender's move. `winning_moves` are the attacker's first moves that capture,
    `best_moves` those of least depth, `saving_moves` the defender's first moves that escape (of GP; else None).
    Raises BoardError where these do not fit together.
    """

    id: str
    board: Board
    target: int
    value: Value | None = None
    depth: int | None = None
    depth_defender_first: int | None = None
    winning_moves: tuple[int, ...] = ()
    best_moves: tuple[int, ...] = ()
    saving_moves: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        board = self.board
        if board.rows != board.columns or not 2 <= board.rows <= LARGEST_SIZE:
            raise BoardError(f"a problem has a square board of 2 to {LARGEST_SIZE} points to a side")
        if board.ko is not None:
            raise BoardError("no point is banned by ko at the start of a problem")
        if board.to_play is None or board.colours[self.target] in ("empty", board.to_play):
            raise BoardError("the target is a stone of the player who is not to play")
        for point in (*self.winning_moves, *self.best_moves, *(self.saving_moves or ())):
            if board.colours[point] != "empty":
                raise BoardError(f"a stone is at {self.letters(point)}, so it is no move")
        if self.value == "PP" and (self.winning_moves or self.depth is not None):
            raise BoardError("a problem of value PP has no winning move and no depth")
        if self.value not in (None, "PP") and not (self.winning_moves and self.depth):
            raise BoardError(f"a problem of value {self.value} has a winning move and a depth")
        if not set(self.best_moves) <= set(self.winning_moves):
            raise BoardError("the best moves are among the winning moves")

    @property
    def size(self) -> int:
        return self.board.rows

    @property
    def attacker(self) -> Player:
        assert self.board.to_play is not None
        return self.board.to_play

    @property
    def defender(self) -> Player:
        return "black" if self.attacker == "white" else "white"

    @property
    def block(self) -> Block:
        """The block that is to be captured."""
        return next(block for block in self.board.blocks if self.target in block.stones)

    def letters(self, point: int) -> str:
        """A point as the letters of SGF."""
        return letters(point, self.size)

    def point(self, name: str) -> int:
        """The point of such letters. Raises BoardError where the board has none such."""
        return point_of(name, self.size)

    def in_order(self, points: set[int] | frozenset[int] | range) -> list[int]:
        """Points row by row from the top, as files list them."""
        return in_order(points, self.size)


def letters(point: int, size: int) -> str:
    """A point as the letters of SGF: the column, then the row from the top."""
    row, column = divmod(point, size)
    return _LETTERS[column] + _LETTERS[size - 1 - row]


def point_of(name: str, size: int) -> int:
    """The point of such letters. Raises BoardError where the board has none such."""
    if len(name) == 2 and all(letter in _LETTERS[:size] for letter in name):
        return (size - 1 - _LETTERS.index(name[1])) * size + _LETTERS.index(name[0])
    last = _LETTERS[size - 1]
    raise BoardError(f"`{name}` is not a point of this board: they are aa to {last}{last}, column then row")


def in_order(points: set[int] | frozenset[int] | range, size: int) -> list[int]:
    """Points row by row from the top."""
    return sorted(points, key=lambda point: (-(point // size), point % size))
