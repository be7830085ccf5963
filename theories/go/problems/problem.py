"""Capture problems: a board, a target, and the known part of its solution.

Points are the board's numbers; in files, and for users, they are the letters of SGF: the column, then
the row from the top.

The value of a game describes both sides' chances, with the attacker's move first. It is `GG` if the
block is captured with either side to start, and `GP` if it escapes when the defender starts. It is `GI`
if it is captured when the attacker starts and otherwise undecided, and `PP` if it is not captured even
when the attacker starts.

Invariants: there is a stone on the target, its owner's opponent is to play, the solution's moves are empty
points, and nothing is banned by ko at the start.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, get_args

from hornbook.kb.text.dataclass import dataclass
from hornbook.theories.go.states.board import Block, BoardError, GoBoard, Player

Value = Literal["GG", "GP", "GI", "PP"]
VALUES: tuple[Value, ...] = get_args(Value)
LARGEST_SIZE = 26
"""Maximal number of points to a side, given by the letters."""
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class CaptureProblem:
    """Capture problem. The attacker is `board.to_play`. If `value` is None, the solution is unknown.

    Plies to the capture are `depth` with the attacker first (None without a capture) and
    `depth_defender_first` from the defender's move. The attacker's first moves that capture are
    `winning_moves`, those of least depth `best_moves`. The defender's first moves that escape are
    `saving_moves` (for GP; else None). Raises BoardError if the fields are inconsistent.
    """

    id: str
    board: GoBoard
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
        """Block to be captured."""
        return next(block for block in self.board.blocks if self.target in block.stones)

    def letters(self, point: int) -> str:
        """Return a point as the letters of SGF."""
        return letters(point, self.size)

    def point(self, name: str) -> int:
        """Return the point of two letters. Raise BoardError if the board has none."""
        return point_of(name, self.size)

    def in_order(self, points: set[int] | frozenset[int] | range) -> list[int]:
        """Return points row by row from the top, as files list them."""
        return in_order(points, self.size)


def letters(point: int, size: int) -> str:
    """Return a point as the letters of SGF: the column, then the row from the top."""
    row, column = divmod(point, size)
    return _LETTERS[column] + _LETTERS[size - 1 - row]


def point_of(name: str, size: int) -> int:
    """Return the point of two letters. Raise BoardError if the board has none."""
    point = _points_by_letters(size).get(name)
    if point is not None:
        return point
    last = _LETTERS[size - 1]
    raise BoardError(f"`{name}` is not a point of this board: they are aa to {last}{last}, column then row")


@lru_cache(maxsize=64)
def _points_by_letters(size: int) -> dict[str, int]:
    """Return the points of a square board by their letters."""
    return {letters(point, size): point for point in range(size * size)}


def in_order(points: set[int] | frozenset[int] | range, size: int) -> list[int]:
    """Return points row by row from the top."""
    return sorted(points, key=lambda point: (-(point // size), point % size))
