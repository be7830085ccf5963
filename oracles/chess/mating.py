"""Mates by looking at every move and every reply, with the library `chess`; and positions in which they are many."""

from __future__ import annotations

from random import Random

import chess


def mating_moves(board: chess.Board, moves: int) -> set[str]:
    """The moves that mate within so many moves, whatever is replied; as `e2e4`, `e7e8q`. The board is as it was then."""
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
    """A position of random play, who is to move not in check and with a queen and a rook more."""
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
