"""ABE: alpha-beta search with the evaluation of Tadepalli (1989, sections 3.2 and 4), in three strengths.

A *promise* is what a goal is worth to White when a move achieves it: a pawn that promotes 200, a king taken 10,000, a
pawn taken 20; the same for Black, negated. The value of a line is the sum of the promises of its moves. Nobody takes a
king in a legal game: whoever is mated has lost his. Stalemate ends a line, and earns nothing more.

What a promise says is not who wins the game: a queen that is lost at once has earned its 200.

*Nodes* are positions that a move led to. All values are for the side to move; `plies` are moves of either side.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

import chess

PROMOTE, KING, PAWN = 200, 10_000, 20
INFINITE = 100 * KING
Key = tuple[object, int]


class Strength(Enum):
    """What a search knows besides alpha and beta."""

    PLAIN = "plain"
    ORDERED = "ordered"  # promotions and captures first, then the moves that cut off last at this height
    FULL = "full"  # also a table of positions, and depths of 1, 2, ... one after another


class SpentError(Exception):
    """A search has looked at as many positions as it may."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The best first move and the value of the position, or the best known when the nodes were `spent`."""

    move: chess.Move | None
    value: int
    nodes: int
    spent: bool = False


@dataclass(frozen=True, slots=True)
class _Entry:
    """What is known of a position: its value to a depth lies between two bounds."""

    least: int
    most: int
    move: chess.Move | None


def promise(board: chess.Board, move: chess.Move) -> int:
    """What a legal move earns the side to move, but for mate."""
    earned = PROMOTE if move.promotion else 0
    if board.is_en_passant(move) or board.piece_type_at(move.to_square) == chess.PAWN:
        earned += PAWN
    return earned


def search(
    board: chess.Board, expectation: int, plies: int, strength: Strength, most_nodes: int = 10**9
) -> Answer:
    """The value of a position to a depth, exactly where it reaches the expectation; less than it otherwise.

    The expectation is for the side to move, as the value is.
    """
    search, board = _Search(strength, most_nodes), board.copy(stack=False)
    found = Answer(None, -INFINITE, 0, spent=True)
    for depth in range(1, plies + 1) if strength is Strength.FULL else (plies,):
        try:
            value = search.value(board, depth, expectation - 1, INFINITE)
        except SpentError:
            return Answer(found.move, found.value, search.nodes, spent=True)
        found = Answer(search.best, value, search.nodes)
    return found


def height(board: chess.Board, expectation: int, deepest: int, most_nodes: int) -> int | None:
    """The least depth, up to the deepest, that earns what is expected; None where there is none, or it costs too much."""
    search, board = _Search(Strength.FULL, most_nodes), board.copy(stack=False)
    try:
        depths = range(1, deepest + 1)
        return next(
            (d for d in depths if search.value(board, d, expectation - 1, INFINITE) >= expectation), None
        )
    except SpentError:
        return None


@dataclass(slots=True)
class _Search:
    strength: Strength
    most_nodes: int
    nodes: int = 0
    best: chess.Move | None = None
    killers: dict[int, list[chess.Move]] = field(default_factory=dict)
    known: dict[Key, _Entry] = field(default_factory=dict)

    def value(self, board: chess.Board, depth: int, alpha: int, beta: int, top: bool = True) -> int:
        """What is earned from here on, by the best play of both, within the bounds; outside of them, a bound of it."""
        key, entry = None, None
        if self.strength is Strength.FULL:
            key = (board._transposition_key(), depth)
            entry = self.known.get(key)
            if entry is not None and not top:
                if entry.least >= beta or entry.least == entry.most:
                    return entry.least
                if entry.most <= alpha:
                    return entry.most
        low, best, favourite = alpha, -INFINITE, None
        for move in self._ordered(board, depth, entry):
            self.nodes += 1
            if self.nodes > self.most_nodes:
                raise SpentError
            earned = promise(board, move)
            board.push(move)
            value = earned + self._after(board, depth - 1, alpha - earned, beta - earned)
            board.pop()
            if value > best:
                best, favourite = value, move
            alpha = max(alpha, best)
            if alpha >= beta:
                self._note(board, depth, move)
                break
        if top:
            self.best = favourite
        if key is not None:
            exact = low < best < beta
            self.known[key] = _Entry(
                best if best >= beta or exact else -INFINITE,
                best if best <= low or exact else INFINITE,
                favourite,
            )
        return best

    def _after(self, board: chess.Board, depth: int, alpha: int, beta: int) -> int:
        """The same for the side that has just moved."""
        if not any(board.generate_legal_moves()):
            return KING if board.is_check() else 0
        if depth == 0:
            return 0
        return -self.value(board, depth, -beta, -alpha, top=False)

    def _ordered(self, board: chess.Board, depth: int, entry: _Entry | None) -> list[chess.Move]:
        moves = list(board.legal_moves)
        if self.strength is Strength.PLAIN:
            return moves
        killers = self.killers.get(depth, [])
        first = None if entry is None else entry.move
        if first is None and self.strength is Strength.FULL:
            shallower = self.known.get((board._transposition_key(), depth - 1))
            first = None if shallower is None else shallower.move

        def key(move: chess.Move) -> tuple[bool, int, bool]:
            return move != first, -promise(board, move), move not in killers

        return sorted(moves, key=key)

    def _note(self, board: chess.Board, depth: int, move: chess.Move) -> None:
        """Remembers a quiet move that cut off, two to a height."""
        if self.strength is not Strength.PLAIN and not promise(board, move):
            kept = [each for each in self.killers.get(depth, []) if each != move]
            self.killers[depth] = [move, *kept][:2]
