"""Reader: exhaustive capture search and plain moves, on an engine that shares no code with the rules.

A block is *captured within k attacker moves* if the attacker forces the removal of the stone on the target
point with at most k moves, against every defence. Its chain at that time is removed with it. All legal points
count for both sides; the defender may pass, the attacker may not. Events after the removal do not count.
Suicide is illegal, ko is simple ko. Answers are exact: nothing is estimated or cut short.

Boards have up to 19×19 points. Points are numbers, as on the board. The attacker and the defender follow from
the target. The function determines the first player, and the board's `to_play` is ignored. The search itself
is C++ (`theories/go/reading/`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from hornbook.kb.text.dataclass import dataclass
from hornbook.theories.go._reading import Reading as _Reading
from hornbook.theories.go._reading import TooManyNodes as _TooManyNodes
from hornbook.theories.go._reading import alpha_beta as _alpha_beta
from hornbook.theories.go._reading import legal_moves as _legal_moves
from hornbook.theories.go._reading import play as _play
from hornbook.theories.go.states.board import BoardError, Colour, GoBoard, Player

LARGEST_SIDE = 19
Ko = Literal["kept", "attacker ignores", "defender ignores"]
"""Players who may play where ko forbids it: none, or one side."""
TooManyNodes = _TooManyNodes
"""Exception of a search that reached its limit of positions."""
_LETTERS: dict[Colour, int] = {"black": ord("X"), "white": ord("O"), "empty": ord(".")}
_COLOURS: dict[str, Colour] = {"X": "black", "O": "white", ".": "empty"}
_OPPONENT: dict[Player, Player] = {"black": "white", "white": "black"}


class IllegalGoMoveError(BoardError):
    """Error for a move that the rules of Go forbid; the message says which."""


def opponent(player: Player) -> Player:
    return _OPPONENT[player]


@dataclass(frozen=True, slots=True)
class CaptureSearch:
    """Search for one target on one board. It caches results, so further queries are fast.

    With `ko` one side may play where ko forbids it: a result that does not change is independent of ko. The
    total number of positions searched is bounded by `nodes` (0: unbounded); TooManyNodes is raised beyond
    it. With `everywhere` every point is tried, even if a proof has shown that it is irrelevant; this is
    slow, and serves for comparison. Raises BoardError for a board that is too large, and if there is no
    stone on the target.
    """

    board: GoBoard
    target: int
    ko: Ko = "kept"
    nodes: int = 0
    everywhere: bool = False
    _for_attacker: _Reading = None  # type: ignore[assignment]  # made below
    _for_defender: _Reading = None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        _check_size(self.board)
        if self.target not in self.board.points() or self.board.colours[self.target] == "empty":
            raise BoardError("there is no stone on the target")
        first = self._search(self.attacker)
        second = first if self.board.ko is None else self._search(self.defender)
        object.__setattr__(self, "_for_attacker", first)
        object.__setattr__(self, "_for_defender", second)

    def _search(self, player: Player) -> _Reading:
        """Return the search from the unchanged board for a player to move.

        A ban does not apply to the other player.
        """
        ignores = self.ko == ("attacker ignores" if player == self.attacker else "defender ignores")
        board = self.board
        return _Reading(
            board.rows,
            board.columns,
            _coded(board),
            -1 if ignores else _ban(board, player),
            self.target,
            self.ko == "attacker ignores",
            self.ko == "defender ignores",
            self.nodes,
            self.everywhere,
        )

    @property
    def defender(self) -> Player:
        colour = self.board.colours[self.target]
        assert colour != "empty"
        return colour

    @property
    def attacker(self) -> Player:
        return _OPPONENT[self.defender]

    def captured_within(self, k: int, first: Player | None = None) -> bool:
        """Return whether k moves of the attacker capture the target. By default the attacker plays first."""
        if first in (None, self.attacker):
            return self._for_attacker.attacker_captures(k)
        return self._for_defender.defender_is_captured(k)

    def moves_needed(self, k: int, first: Player | None = None) -> int | None:
        """Return the least number of attacker moves that captures, if it is at most k."""
        return next((n for n in range(1, k + 1) if self.captured_within(n, first)), None)

    def winning_moves(self, k: int) -> frozenset[int]:
        """Return the attacker's first moves that capture within k moves, including the first."""
        return frozenset(self._for_attacker.winning_moves(k))

    def saving_moves(self, k: int) -> frozenset[int]:
        """Return the defender's first moves after which k attacker moves do not capture.

        The pass is not among them.
        """
        return frozenset(self._for_defender.saving_moves(k))

    def best_move(self, k: int) -> int | None:
        """Return a first move that captures with the fewest moves, if k are enough.

        Among several such moves, a liberty of the target is preferred, then a point next to a liberty,
        then the lowest point.
        """
        liberties = _liberties(self.board, self.target)
        adjacent = {point for liberty in liberties for point in self.board.neighbours(liberty)}
        preferred = [sorted(liberties), sorted(adjacent), list(self.board.points())]
        point = self._for_attacker.best_move(k, preferred)
        return None if point < 0 else point

    @property
    def nodes_read(self) -> int:
        """Number of positions searched so far."""
        if self._for_attacker is self._for_defender:
            return self._for_attacker.nodes()
        return self._for_attacker.nodes() + self._for_defender.nodes()

    @property
    def bans_met(self) -> int:
        """Number of moves left out for ko so far; if it is 0, ignoring ko would change nothing."""
        if self._for_attacker is self._for_defender:
            return self._for_attacker.bans()
        return self._for_attacker.bans() + self._for_defender.bans()


def captured_within(
    board: GoBoard, target: int, k: int, *, first: Player | None = None, ko: Ko = "kept", nodes: int = 0
) -> bool:
    """Return whether k attacker moves capture the target. By default the attacker plays first."""
    return CaptureSearch(board, target, ko, nodes).captured_within(k, first)


def moves_needed(board: GoBoard, target: int, k: int, *, first: Player | None = None) -> int | None:
    """Return the least number of attacker moves that captures, if it is at most k."""
    return CaptureSearch(board, target).moves_needed(k, first)


def depth(board: GoBoard, target: int, k: int, *, first: Player | None = None) -> int | None:
    """Return the least number of plies of both sides to the capture, if k attacker moves are enough."""
    reading = CaptureSearch(board, target)
    needed = reading.moves_needed(k, first)
    if needed is None:
        return None
    return 2 * needed - (first in (None, reading.attacker))


def winning_moves(board: GoBoard, target: int, k: int) -> frozenset[int]:
    """Return the attacker's first moves that capture within k moves, including the first."""
    return CaptureSearch(board, target).winning_moves(k)


def saving_moves(board: GoBoard, target: int, k: int) -> frozenset[int]:
    """Return the defender's first moves after which k attacker moves do not capture.

    The pass is not among them.
    """
    return CaptureSearch(board, target).saving_moves(k)


def best_move(board: GoBoard, target: int, k: int, *, nodes: int = 0) -> int | None:
    """Return a first move that captures with the fewest moves, preferably near the target; see Reading."""
    return CaptureSearch(board, target, nodes=nodes).best_move(k)


@dataclass(frozen=True, slots=True)
class Selective:
    """Result of a selective search: the moves needed and the first of them, or None, and its nodes."""

    moves_needed: int | None
    move: int | None
    nodes: int


def alpha_beta(board: GoBoard, target: int, k: int) -> Selective:
    """Return the result of a fast alpha-beta search of likely moves, as in Go programs, with
    the attacker first.

    It serves as a baseline for rules and for the exact search, and is *not* exact.
    """
    reading = CaptureSearch(board, target)
    ban = _ban(board, reading.attacker)
    needed, move, nodes = _alpha_beta(board.rows, board.columns, _coded(board), ban, target, k)
    return Selective(needed or None, move if needed else None, nodes)


def legal_moves(board: GoBoard, player: Player) -> list[int]:
    """Return the points where a player may move, lowest first. The pass, always legal, is not among them."""
    _check_size(board)
    return _legal_moves(board.rows, board.columns, _coded(board), _ban(board, player), player == "black")


def play(board: GoBoard, player: Player, point: int | None) -> GoBoard:
    """Return the board after a move or, if the point is None, after a pass; the other player is next.

    Raises IllegalGoMoveError.
    """
    _check_size(board)
    if point is None:
        return GoBoard(board.rows, board.columns, board.colours, None, _OPPONENT[player])
    after = None
    if point in board.points():
        ban = _ban(board, player)
        after = _play(board.rows, board.columns, _coded(board), ban, player == "black", point)
    if after is None:
        raise IllegalGoMoveError(_why_illegal(board, player, point))
    text, _, ko = after
    colours = tuple(_COLOURS[letter] for letter in text)
    return GoBoard(board.rows, board.columns, colours, None if ko < 0 else ko, _OPPONENT[player])


def replay(board: GoBoard, moves: Iterable[tuple[Player, int | None]]) -> GoBoard:
    """Return the board after moves and passes of given players. Raise IllegalGoMoveError."""
    for player, point in moves:
        board = play(board, player, point)
    return board


def _why_illegal(board: GoBoard, player: Player, point: int) -> str:
    if point not in board.points():
        return f"point {point} is not on the board"
    name = board.name(point)
    if board.colours[point] != "empty":
        return f"{player} cannot play at {name}: a stone is there"
    if point == _ban(board, player):
        return f"{player} cannot play at {name}: ko"
    return f"{player} cannot play at {name}: suicide"


def _check_size(board: GoBoard) -> None:
    if max(board.rows, board.columns) > LARGEST_SIDE:
        raise BoardError(f"the reader's boards have up to {LARGEST_SIDE} rows and columns")


def _coded(board: GoBoard) -> bytes:
    return bytes([_LETTERS[colour] for colour in board.colours])


def _ban(board: GoBoard, player: Player) -> int:
    """Return the point that ko forbids to a player, in the native module's code: -1 if there is none."""
    return board.ko if board.ko is not None and board.banned == player else -1


def _liberties(board: GoBoard, target: int) -> set[int]:
    colour = board.colours[target]
    chain, waiting, found = {target}, [target], set[int]()
    while waiting:
        for neighbour in board.neighbours(waiting.pop()):
            if board.colours[neighbour] == "empty":
                found.add(neighbour)
            elif board.colours[neighbour] == colour and neighbour not in chain:
                chain.add(neighbour)
                waiting.append(neighbour)
    return found
