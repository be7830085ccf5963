"""What a move of chess gains at least, by exhaustive search of the `chess` library's rules.

**The contract.** A *gain* of n by a move, within so many replies: the friend makes the move, and after each legal reply another
move of his, so many replies at most. Wherever he stops, his last move leaves him at least n more than he had before the
first one, counted in pawn 1, knight and bishop 3, rook 5, queen 9, where what a pawn becomes counts too, and where the reply that
takes on the square of this last move most dearly is counted too. Or he mates. What is taken elsewhere after the last move does not count.
Where he *rests*, he may also stop after a reply that leaves him at least n more, whatever is then attacked.

King and pawn against king is judged by `kpk_table`: a won position gains the four by which a rook is worth more than a
pawn.
"""

from __future__ import annotations

import chess

from oracles.chess.judge import WORTH, captured_on
from oracles.chess.kpk_table import kpk_table


def change(board: chess.Board, move: chess.Move) -> int:
    """By how much a legal move changes the balance in favour of who makes it."""
    square = captured_on(board, move)
    taken = 0 if square is None else WORTH[board.piece_type_at(square)]
    promoted = 0 if move.promotion is None else WORTH[move.promotion] - WORTH[chess.PAWN]
    return taken + promoted


def gains(board: chess.Board, move: chess.Move, least: int, replies: int, *, rests: bool = False) -> bool:
    """Whether a legal move gains so much at least, within so many replies, where the friend may rest or must go on."""
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
    """Whether it is king and pawn against king, and the pawn is promoted later, by the table, after a move of its side."""
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
