"""ABE: alpha-beta search with the evaluation of Tadepalli (1989, sections 3.2 and 4), in three strengths.

A *promise* is the worth to White of a goal that a move achieves: 200 for promoting a pawn, 10,000 for taking
a king, 20 for taking a pawn. Black's promises are negated. The value of a line is the sum of the promises of
its moves. In a legal game no king is taken: mate counts as the loss of the king. Stalemate ends a line
without a further gain.

A promise does not tell which side wins the game: a pawn that promotes earns 200 even if the queen is lost at
once.

*Nodes* are positions after a move. All values are for the side to move; `plies` are moves of either side.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

import chess

PROMOTE, KING, PAWN = 200, 10_000, 20
INFINITE = 100 * KING
Key = tuple[object, int]


class AbeStrength(Enum):
    """The techniques that a search uses besides alpha and beta."""

    PLAIN = "plain"
    # promotions and captures first, then the moves that caused the last cutoffs at this height
    ORDERED = "ordered"
    FULL = "full"  # also a transposition table and iterative deepening


class AbeLimitError(Exception):
    """The search has reached its limit of positions."""


@dataclass(frozen=True, slots=True)
class AbeAnswer:
    """The best first move and the value of the position.

    They are the best known ones if the limit of nodes was reached (`spent`).
    """

    move: chess.Move | None
    value: int
    nodes: int
    spent: bool = False


@dataclass(frozen=True, slots=True)
class _Entry:
    """A table entry: lower and upper bound of a position's value to a depth."""

    least: int
    most: int
    move: chess.Move | None


def promise(board: chess.Board, move: chess.Move) -> int:
    """Return the gain of the side to move by a legal move, without mate."""
    earned = PROMOTE if move.promotion else 0
    if board.is_en_passant(move) or board.piece_type_at(move.to_square) == chess.PAWN:
        earned += PAWN
    return earned


def search(
    board: chess.Board, expectation: int, plies: int, strength: AbeStrength, most_nodes: int = 10**9
) -> AbeAnswer:
    """Return the value of a position to a depth.

    The value is exact if it reaches the expectation; otherwise it is some value below the expectation.
    Expectation and value are for the side to move.
    """
    search, board = _AbeSearch(strength, most_nodes), board.copy(stack=False)
    found = AbeAnswer(None, -INFINITE, 0, spent=True)
    for depth in range(1, plies + 1) if strength is AbeStrength.FULL else (plies,):
        try:
            value = search.value(board, depth, expectation - 1, INFINITE)
        except AbeLimitError:
            return AbeAnswer(found.move, found.value, search.nodes, spent=True)
        found = AbeAnswer(search.best, value, search.nodes)
    return found


def height(board: chess.Board, expectation: int, deepest: int, most_nodes: int) -> int | None:
    """Return the least depth, at most `deepest`, that earns the expectation.

    Return None if there is none, or if the search exceeds `most_nodes`.
    """
    search, board = _AbeSearch(AbeStrength.FULL, most_nodes), board.copy(stack=False)
    try:
        depths = range(1, deepest + 1)
        return next(
            (d for d in depths if search.value(board, d, expectation - 1, INFINITE) >= expectation), None
        )
    except AbeLimitError:
        return None


@dataclass(slots=True)
class _AbeSearch:
    strength: AbeStrength
    most_nodes: int
    nodes: int = 0
    best: chess.Move | None = None
    killers: dict[int, list[chess.Move]] = field(default_factory=dict)
    known: dict[Key, _Entry] = field(default_factory=dict)

    def value(self, board: chess.Board, depth: int, alpha: int, beta: int, top: bool = True) -> int:
        """Return the value of best play by both sides from this position.

        Outside the bounds alpha and beta, the result is a bound of the value.
        """
        key, entry = None, None
        if self.strength is AbeStrength.FULL:
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
                raise AbeLimitError
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
        """Return the value after a move for the side that has just moved."""
        if not any(board.generate_legal_moves()):
            return KING if board.is_check() else 0
        if depth == 0:
            return 0
        return -self.value(board, depth, -beta, -alpha, top=False)

    def _ordered(self, board: chess.Board, depth: int, entry: _Entry | None) -> list[chess.Move]:
        moves = list(board.legal_moves)
        if self.strength is AbeStrength.PLAIN:
            return moves
        killers = self.killers.get(depth, [])
        first = None if entry is None else entry.move
        if first is None and self.strength is AbeStrength.FULL:
            shallower = self.known.get((board._transposition_key(), depth - 1))
            first = None if shallower is None else shallower.move

        def key(move: chess.Move) -> tuple[bool, int, bool]:
            return move != first, -promise(board, move), move not in killers

        return sorted(moves, key=key)

    def _note(self, board: chess.Board, depth: int, move: chess.Move) -> None:
        """Store a quiet move that caused a cutoff, at most two for each height."""
        if self.strength is not AbeStrength.PLAIN and not promise(board, move):
            others = [each for each in self.killers.get(depth, []) if each != move]
            self.killers[depth] = [move, *others][:2]
