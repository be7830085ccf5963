"""Tests of the native step of chess against published move counts, the library `chess`, and plain play."""

from __future__ import annotations

from random import Random

import chess
import pytest

from hornbook.play.native import native_of
from hornbook.theories.chess.domain import DOMAIN
from hornbook.theories.chess.states.pgn import BEGINNING

NATIVE = native_of(DOMAIN)
CASTLING = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
PASSING = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"
MATED = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
STALEMATED = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
PROMOTION = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1"


@pytest.mark.parametrize(
    ("position", "depth", "lines"),
    [
        (BEGINNING, 0, 1),
        (BEGINNING, 1, 20),
        (BEGINNING, 2, 400),
        (BEGINNING, 3, 8902),
        (BEGINNING, 4, 197281),
        (BEGINNING, 5, 4865609),
        (CASTLING, 1, 48),
        (CASTLING, 2, 2039),
        (CASTLING, 3, 97862),
        (CASTLING, 4, 4085603),
        (PASSING, 5, 674624),
        (PASSING, 6, 11030083),
        (PROMOTION, 4, 422333),
        (PROMOTION, 3, 9467),
        ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 3, 62379),
        ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 4, 2103487),
        ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 3, 89890),
        ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 4, 3894594),
    ],
)
def test_perft_of_published_positions(position, depth, lines):
    assert NATIVE.State(position).perft(depth) == lines


@pytest.mark.parametrize("position", [MATED, STALEMATED])
def test_a_finished_game_has_no_lines_of_moves(position):
    assert [NATIVE.State(position).perft(depth) for depth in range(4)] == [1, 0, 0, 0]


def lines_of(board: chess.Board, depth: int) -> int:
    """Return the number of lines of `depth` moves, by the library."""
    if depth == 0:
        return 1
    lines = 0
    for move in board.legal_moves:
        board.push(move)
        lines += lines_of(board, depth - 1)
        board.pop()
    return lines


def test_perft_of_endings_agrees_with_the_library():
    random = Random(5)
    for _ in range(30):
        board = chess.Board.empty()
        for piece, square in zip("KkQRqp", random.sample(range(8, 56), 6), strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(piece))
        if board.is_valid():
            assert NATIVE.State(board.fen()).perft(3) == lines_of(board, 3)


@pytest.mark.parametrize("position", [BEGINNING, CASTLING, PASSING, PROMOTION])
def test_random_games_are_played_as_the_library_plays_them(position):
    random = Random(position)
    for _ in range(8):
        board, state = chess.Board(position), NATIVE.State(position)
        for _ in range(60):
            moves = sorted(move.uci() for move in board.legal_moves)
            assert sorted(state.moves()) == moves
            assert state.is_over == (not moves)
            if not moves:
                assert state.outcome == {"1-0": 1, "0-1": -1}.get(board.result(), 0)
                assert state.evaluation == (-NATIVE.EVALUATION_UNIT if board.is_checkmate() else 0)
                break
            move = random.choice(moves)
            board.push_uci(move)
            state = state.after(move)
            assert str(state).split()[:4] == board.fen(en_passant="fen").split()[:4]


@pytest.mark.parametrize(
    ("position", "better"),
    [
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        ("4k3/8/8/8/8/8/8/QN2K3 w - - 0 1", "4k3/8/8/8/8/8/8/RN2K3 w - - 0 1"),
        # A queen about to be captured is worth no more than the capturing pawn.
        ("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", "4k3/3p4/8/8/4P3/8/8/4K3 w - - 0 1"),
    ],
)
def test_more_is_worth_more(position, better):
    assert NATIVE.State(position).evaluation > NATIVE.State(better).evaluation


def test_a_position_is_worth_the_same_from_any_side():
    for position in (CASTLING, PROMOTION, "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1"):
        mirrored = chess.Board(position).mirror().fen(en_passant="fen")
        assert NATIVE.State(position).evaluation == NATIVE.State(mirrored).evaluation


@pytest.mark.parametrize(
    "text",
    [
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 x - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w K - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - e6 0 1",
        "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/P3K3 w - - 0 1",
        "4k4/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1 2",
        "4k3/8/8/8/8/8/8/4K3",
        "qqqqqqqq/qqqqqqqq/4k3/8/8/8/8/4K3 w - - 0 1",
    ],
)
def test_what_no_position_can_be_is_refused(text):
    with pytest.raises(ValueError, match=r"\w"):
        NATIVE.State(text)
