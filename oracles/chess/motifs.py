"""The motif of a move by geometry alone.

The judge decides whether the move wins.

The *friend* is the moving side, the *target* the enemy's piece to be taken, both in the position after the
move. The first matching entry is the motif:

- `discovered`: a friend's sliding piece other than the one that moved attacks the target along a line that
  the move opened;
- `skewer`: the moved piece is a sliding one and attacks on one line, with nothing between, first the king or
  a piece worth at least as much as the target, and behind it the target;
- `pin`: the target is pinned to its king, and is attacked;
- `guard`: the move captured a piece that protected the target, which was attacked already;
- `fork`: the moved piece attacks the target and another piece: the king, a piece worth more than itself, or
  an unprotected piece that is no pawn;
- `trapped`: the target, no pawn, is attacked, and its side is not in check.

A mating move is `back-rank` if the king is on his own last rank, a rook or queen checks him along it, and
each square before him is attacked or has a piece of his own, at least one of these a pawn.
"""

from __future__ import annotations

from typing import Literal

import chess

from oracles.chess.judge import WORTH, ChessGoal, captured_on

TakingMotif = Literal["discovered", "skewer", "pin", "guard", "fork", "trapped"]
SLIDERS = {chess.BISHOP, chess.ROOK, chess.QUEEN}


def taking_motif(board: chess.Board, goal: ChessGoal, move: chess.Move) -> TakingMotif | None:
    """Return the motif of a legal move that does not capture the target itself."""
    friend, target = board.turn, goal.target
    assert target is not None
    after = board.copy(stack=False)
    after.push(move)
    attackers = after.attackers(friend, target)
    if _opens_line(after, attackers, move, target):
        return "discovered"
    if skewered(after, move.to_square, target):
        return "skewer"
    if not attackers:
        return None
    if after.is_pinned(not friend, target):
        return "pin"
    taken = captured_on(board, move)
    if taken is not None and board.attackers(friend, target) and taken in board.attackers(not friend, target):
        return "guard"
    if move.to_square in attackers and _attacks_another(after, move.to_square, target):
        return "fork"
    if after.piece_type_at(target) != chess.PAWN and not after.is_check():
        return "trapped"
    return None


def skewered(board: chess.Board, slider: chess.Square, target: chess.Square) -> bool:
    """Return whether the piece on `slider` attacks the target through one enemy's piece worth no less, or the
    king.
    """
    kind, friend = board.piece_type_at(slider), board.color_at(slider)
    line = chess.between(slider, target)
    blockers = chess.SquareSet(line & board.occupied)
    if kind not in SLIDERS or len(blockers) != 1:
        return False
    front = next(iter(blockers))
    return (
        front in board.attacks(slider)
        and board.color_at(front) != friend
        and WORTH[board.piece_type_at(front)] >= WORTH[board.piece_type_at(target)]
    )


def is_back_rank_mate(board: chess.Board, move: chess.Move) -> bool:
    """Return whether a legal move mates on the last rank, as defined above."""
    after = board.copy(stack=False)
    after.push(move)
    if not after.is_checkmate():
        return False
    king = after.king(after.turn)
    assert king is not None
    rank, ahead = (0, 1) if after.turn else (7, 6)
    along = [
        square
        for square in after.checkers()
        if chess.square_rank(square) == rank and after.piece_type_at(square) in {chess.ROOK, chess.QUEEN}
    ]
    if chess.square_rank(king) != rank or not along:
        return False
    before = [chess.square(file, ahead) for file in range(8) if abs(file - chess.square_file(king)) <= 1]
    pawns = [square for square in before if after.piece_at(square) == chess.Piece(chess.PAWN, after.turn)]
    shut = all(
        after.color_at(square) == after.turn or after.is_attacked_by(not after.turn, square)
        for square in before
    )
    return shut and bool(pawns)


def _opens_line(
    after: chess.Board, attackers: chess.SquareSet, move: chess.Move, target: chess.Square
) -> bool:
    return any(
        after.piece_type_at(square) in SLIDERS
        and square != move.to_square
        and chess.between(square, target) & chess.BB_SQUARES[move.from_square]
        for square in attackers
    )


def _attacks_another(after: chess.Board, forker: chess.Square, target: chess.Square) -> bool:
    worth = WORTH[after.piece_type_at(forker)]
    for square in after.attacks(forker) & after.occupied_co[after.turn]:
        kind = after.piece_type_at(square)
        if square == target or kind == chess.PAWN:
            continue
        if WORTH[kind] > worth or not after.attackers(after.turn, square):
            return True
    return False
