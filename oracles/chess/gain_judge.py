"""The least gain of a chess move, by exhaustive search with the rules of the library `chess`.

**Contract.** A *gain* of n by a move within a number of replies is defined as follows. The friend makes the
move, and another move after each legal reply, up to that number of replies. He may stop after any of his
moves. His last move must leave him at least n more than before the first one, or mate. The count values a
pawn at 1, knight and bishop at 3, a rook at 5 and a queen at 9. It includes the value of promoted pawns, and
the most expensive reply that captures on the square of the last move. Other captures after the last move do
not count. If he *rests*, he may also stop after a reply that leaves him at least n more, even if pieces are
then attacked.

`kpk_table` judges king and pawn against king: a won position gains four, the difference between a rook and a
pawn.
"""

from __future__ import annotations

import chess

from oracles.chess.judge import WORTH, captured_on
from oracles.chess.kpk_table import kpk_table


def change(board: chess.Board, move: chess.Move) -> int:
    """Return the change of the balance by a legal move, in favour of the moving side."""
    square = captured_on(board, move)
    taken = 0 if square is None else WORTH[board.piece_type_at(square)]
    promoted = 0 if move.promotion is None else WORTH[move.promotion] - WORTH[chess.PAWN]
    return taken + promoted


def gains(board: chess.Board, move: chess.Move, least: int, replies: int, *, rests: bool = False) -> bool:
    """Return whether a legal move gains at least `least` within a number of replies.

    With `rests`, the friend may also stop after a reply.
    """
    if least <= WORTH[chess.ROOK] - WORTH[chess.PAWN] and promotes(board, move):
        return True
    got = change(board, move)
    board.push(move)
    try:
        answers = list(board.legal_moves)
        back = max(
            (change(board, answer) for answer in answers if answer.to_square == move.to_square), default=0
        )
        if board.is_checkmate() or got - back >= least:
            return True
        return (
            replies > 0
            and bool(answers)
            and all(_goes_on(board, a, least - got, replies - 1, rests=rests) for a in answers)
        )
    finally:
        board.pop()


def _goes_on(board: chess.Board, answer: chess.Move, least: int, replies: int, *, rests: bool) -> bool:
    lost = change(board, answer)
    if rests and least + lost <= 0:
        return True
    board.push(answer)
    try:
        return any(gains(board, move, least + lost, replies, rests=rests) for move in list(board.legal_moves))
    finally:
        board.pop()


def promotes(board: chess.Board, move: chess.Move) -> bool:
    """Return whether the position is king and pawn against king and, by the table, the move leads to a later
    promotion.
    """
    if len(board.piece_map()) != 3 or not board.pieces(chess.PAWN, board.turn):
        return False
    if move.promotion is not None or board.is_capture(move):
        return False
    after = board.copy(stack=False)
    after.push(move)
    white = after if not after.turn else after.mirror()
    (pawn,), king, other = (
        white.pieces(chess.PAWN, chess.WHITE),
        white.king(chess.WHITE),
        white.king(chess.BLACK),
    )
    assert king is not None
    assert other is not None
    return kpk_table().plies(pawn, king, other, white_first=False) is not None
