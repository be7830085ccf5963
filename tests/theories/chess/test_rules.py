"""Tests of the plain rules of chess, against published move counts and another program."""

from __future__ import annotations

from random import Random

import chess
import pytest

from hornbook.theories.chess.states.fen import parse_fen, print_fen
from hornbook.theories.chess.states.notation import print_uci
from hornbook.theories.chess.states.position import ChessPosition
from hornbook.theories.chess.states.rules import (
    ChessMove,
    IllegalChessMoveError,
    after,
    gives_check,
    legal_moves,
    play,
)

PERFT = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1": (20, 400),
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1": (48, 2039),
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1": (14, 191, 2812),
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1": (6, 264),
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8": (44, 1486),
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10": (46, 2079),
}
"""Published positions with their numbers of lines of one and two moves, and in some cases three."""


def lines(position: ChessPosition, depth: int) -> int:
    return sum(lines(play(position, move), depth - 1) if depth > 1 else 1 for move in legal_moves(position))


@pytest.mark.parametrize("fen", PERFT)
def test_the_lines_of_published_positions_are_as_many_as_published(fen):
    position = parse_fen(fen)
    counts = PERFT[fen]
    assert tuple(lines(position, depth) for depth in range(1, len(counts) + 1)) == counts


def test_random_games_go_as_with_another_program():
    random = Random(11)
    for _ in range(3):
        board = chess.Board()
        position = parse_fen(board.fen())
        while not board.is_game_over() and board.ply() < 160:
            moves = list(legal_moves(position))
            assert len(moves) == board.legal_moves.count()
            move = random.choice(moves)
            assert gives_check(position, move) == board.gives_check(chess.Move.from_uci(print_uci(move)))
            position = after(position, move)
            board.push_uci(print_uci(move))
            assert print_fen(position) == board.fen(en_passant="fen")


def test_an_illegal_move_is_refused():
    with pytest.raises(IllegalChessMoveError, match="e2e5 is not legal here"):
        after(parse_fen(next(iter(PERFT))), ChessMove(12, 36))
