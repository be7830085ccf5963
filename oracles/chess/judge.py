"""The meaning of a win in chess's theory, by exhaustive search with the rules of the library `chess`.

**Contract.** A position, whose side to move is the *friend*; a goal; and an odd number of plies, which begin
and end with a move of the friend. The goal is *won within n plies* if the friend has a move, after each legal
reply another one, and so on, such that his last move achieves the goal at the n-th ply or earlier:

- any goal: the move is checkmate;
- `mate`: only checkmate;
- `take(square)`: the move captures the *target*. In addition, no legal reply captures on the square of the
  capturer, or the piece that moved is worth less than the target. Values are pawn 1, knight and bishop 3,
  rook 5, queen 9 and king 100, each for the piece before the move: a pawn that captures and becomes a queen
  is worth 1; a target that was a pawn and became a queen is worth 9;
- `promote(square)`: the *target*, a pawn of the friend, becomes a queen or a rook; no legal reply captures on
  the square; and there is a legal reply.

The *target* is the piece on the square in the first position, an enemy's piece for `take` and the friend's
for `promote`. It is followed when it moves (castling rook and promoted pawn remain the same piece). The goal
is lost if the target disappears before the goal is achieved, or becomes another piece than queen or rook. All
moves of both sides are legal moves; there is no pass. An opponent without a legal reply who is not mated is
stalemated, and the goal is lost. After the last move only the conditions above count, so a capture may expose
other pieces or give stalemate. Repetition, the fifty-move rule and insufficient material do not count.

*Second-player win* (within n plies of the friend's turn): the above holds after every first move of the
opponent. Mate counts as won and stalemate as lost, as before.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import chess

WORTH = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9, chess.KING: 100}


@dataclass(frozen=True, slots=True)
class ChessGoal:
    """A game, with the current square of its piece; `mate` has none."""

    kind: Literal["take", "mate", "promote"]
    target: chess.Square | None = None

    def after(self, board: chess.Board, move: chess.Move) -> ChessGoal | None:
        """Return the goal after a move that does not achieve it, or None if it is lost.

        `board` is before the move.
        """
        if self.target is None:
            return self
        if move.from_square == self.target:
            if self.kind == "promote" and move.promotion is not None:
                return None
            return ChessGoal(self.kind, move.to_square)
        if captured_on(board, move) == self.target:
            return None
        if board.is_castling(move) and self.target == castling_rook(move)[0]:
            return ChessGoal(self.kind, castling_rook(move)[1])
        return self


MATE = ChessGoal("mate")


def captured_on(board: chess.Board, move: chess.Move) -> chess.Square | None:
    """Return the square of the piece that a move captures.

    En passant, this is behind the pawn's new square.
    """
    if board.is_en_passant(move):
        return chess.square(chess.square_file(move.to_square), chess.square_rank(move.from_square))
    return move.to_square if board.is_capture(move) else None


def castling_rook(move: chess.Move) -> tuple[chess.Square, chess.Square]:
    """Return the castling rook's squares before and after the king's move."""
    rank = chess.square_rank(move.to_square)
    king_side = chess.square_file(move.to_square) > 4
    return chess.square(7 if king_side else 0, rank), chess.square(5 if king_side else 3, rank)


def achieves(board: chess.Board, goal: ChessGoal, move: chess.Move) -> bool:
    """Return whether a legal move achieves the goal at once."""
    if goal.kind == "take":
        aimed = captured_on(board, move) == goal.target
        worth = (
            aimed and WORTH[board.piece_type_at(move.from_square)] < WORTH[board.piece_type_at(goal.target)]
        )
    else:
        aimed = goal.kind == "promote" and move.from_square == goal.target
        aimed = aimed and move.promotion in {chess.QUEEN, chess.ROOK}
        worth = False
    if worth:
        return True
    if not aimed and not _may_check(board, move):
        return False
    board.push(move)
    try:
        if aimed and not any(board.generate_legal_moves(to_mask=chess.BB_SQUARES[move.to_square])):
            return goal.kind == "take" or board.is_checkmate() or any(board.legal_moves)
        return board.is_checkmate()
    finally:
        board.pop()


def wins(board: chess.Board, goal: ChessGoal, plies: int) -> bool:
    """Return whether the side to move wins within `plies` plies."""
    return any(_wins_by(board, goal, move, plies) for move in _in_order(board, goal))


def wins_by(board: chess.Board, goal: ChessGoal, move: chess.Move, plies: int) -> bool:
    """Return whether the side to move wins within `plies` plies if it begins with a move.

    False for illegal moves.
    """
    return board.is_legal(move) and _wins_by(board, goal, move, plies)


def winning_moves(board: chess.Board, goal: ChessGoal, plies: int) -> list[chess.Move]:
    """Return all first moves that win within `plies` plies, in the order of their names."""
    found = [move for move in board.legal_moves if _wins_by(board, goal, move, plies)]
    return sorted(found, key=chess.Move.uci)


def depth(board: chess.Board, goal: ChessGoal, most: int) -> int | None:
    """Return the least number of plies, at most `most`, within which the side to move wins."""
    return next((plies for plies in range(1, most + 1, 2) if wins(board, goal, plies)), None)


def wins_second(board: chess.Board, goal: ChessGoal, plies: int) -> bool:
    """Return whether the side that is *not* to move wins within `plies` plies from its turn after every first
    move.
    """
    replies = _replies(board, goal)
    if not replies:
        return board.is_check()
    for reply in replies:
        then = goal.after(board, reply)
        if then is None:
            return False
        board.push(reply)
        try:
            if not wins(board, then, plies):
                return False
        finally:
            board.pop()
    return True


def refutations(board: chess.Board, goal: ChessGoal, move: chess.Move, plies: int) -> list[chess.Move]:
    """Return the legal replies to a legal move after which the goal is not won within the remaining plies."""
    then = goal.after(board, move)
    assert then is not None
    found = []
    board.push(move)
    for reply in list(board.legal_moves):
        left = then.after(board, reply)
        if left is not None:
            board.push(reply)
            won = wins(board, left, plies - 2)
            board.pop()
            if won:
                continue
        found.append(reply)
    board.pop()
    return found


def _wins_by(board: chess.Board, goal: ChessGoal, move: chess.Move, plies: int) -> bool:
    if achieves(board, goal, move):
        return True
    then = goal.after(board, move)
    if plies < 3 or then is None:
        return False
    board.push(move)
    try:
        return wins_second(board, then, plies - 2)
    finally:
        board.pop()


def _in_order(board: chess.Board, goal: ChessGoal) -> Iterator[chess.Move]:
    """Yield all legal moves lazily.

    Moves that touch the target come first, since they win most often.
    """
    if goal.target is None:
        yield from board.legal_moves
        return
    at = chess.BB_SQUARES[goal.target]
    if goal.kind == "take":
        yield from board.generate_legal_moves(to_mask=at)
        yield from board.generate_legal_moves(to_mask=~at & chess.BB_ALL)
    else:
        yield from board.generate_legal_moves(from_mask=at)
        yield from board.generate_legal_moves(from_mask=~at & chess.BB_ALL)


def _replies(board: chess.Board, goal: ChessGoal) -> list[chess.Move]:
    """Return all legal replies.

    Replies that refute most often come first: moves of the target, then captures.
    """

    def likely(move: chess.Move) -> tuple[bool, bool]:
        return move.from_square != goal.target, not board.is_capture(move)

    return sorted(board.legal_moves, key=likely)


def _may_check(board: chess.Board, move: chess.Move) -> bool:
    """Return False only if a move certainly gives no check; the test avoids making the move."""
    king = board.king(not board.turn)
    if king is None or move.promotion or board.is_en_passant(move) or board.is_castling(move):
        return True
    if chess.ray(move.from_square, king):
        return True
    kind, to = board.piece_type_at(move.from_square), chess.BB_SQUARES[move.to_square]
    if kind == chess.KNIGHT:
        return bool(chess.BB_KNIGHT_ATTACKS[king] & to)
    if kind == chess.PAWN:
        return bool(chess.BB_PAWN_ATTACKS[not board.turn][king] & to)
    if kind == chess.KING:
        return False
    return bool(chess.ray(move.to_square, king))
