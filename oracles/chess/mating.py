"""Mates by exhaustive search with the library `chess`, and positions with many mates."""

from __future__ import annotations

from random import Random

import chess


def mating_moves(board: chess.Board, moves: int) -> set[str]:
    """Return the moves (`e2e4`, `e7e8q`) that force mate within `moves` moves.

    The board is unchanged afterwards.
    """
    return {move.uci() for move in list(board.legal_moves) if _mates(board, move, moves)}


def _mates(board: chess.Board, move: chess.Move, moves: int) -> bool:
    board.push(move)
    found = board.is_checkmate()
    if not found and moves > 1:
        replies = list(board.legal_moves)
        found = bool(replies) and all(_answered(board, reply, moves - 1) for reply in replies)
    board.pop()
    return found


def _answered(board: chess.Board, reply: chess.Move, moves: int) -> bool:
    board.push(reply)
    found = any(_mates(board, move, moves) for move in list(board.legal_moves))
    board.pop()
    return found


def forcing_position(random: Random) -> chess.Board:
    """Return a position of random play whose side to move is not in check and has an extra queen and rook."""
    while True:
        board = chess.Board()
        for _ in range(random.randint(20, 60)):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(random.choice(moves))
        for man in (chess.QUEEN, chess.ROOK):
            square = random.choice([s for s in chess.SQUARES if board.piece_at(s) is None])
            board.set_piece_at(square, chess.Piece(man, board.turn))
        if board.is_valid() and not board.is_check() and not board.is_game_over():
            return board
