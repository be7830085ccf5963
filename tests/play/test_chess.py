"""The native step of chess: counts that all programs agree on, the library `chess`, and its own plain play."""

from __future__ import annotations

from random import Random

import chess
import pytest

from hornbook.play.native import native_of
from hornbook.theories.chess.domain import DOMAIN
from hornbook.theories.chess.play.pgn import BEGINNING

NATIVE = native_of(DOMAIN)
CASTLING = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
PASSING = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"
PROMOTION = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1"


@pytest.mark.parametrize(
    ("position", "depth", "lines", "ended"),
    [
        (BEGINNING, 1, 20, 0),
        (BEGINNING, 2, 400, 0),
        (BEGINNING, 3, 8902, 0),
        (BEGINNING, 4, 197281, 0),
        (BEGINNING, 5, 4865609, 8),
        (CASTLING, 3, 97862, 0),
        (CASTLING, 4, 4085603, 1),
        (PASSING, 5, 674624, 17),
        (PROMOTION, 4, 422333, 22),
        ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 3, 62379, 0),
        ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 3, 89890, 0),
    ],
)
def test_lines_of_play_are_as_many_as_other_programs_count(position, depth, lines, ended):
    """They leave out the lines that are over before: `ended`, found with the library `chess`."""
    assert NATIVE.State(position).perft(depth) == lines + ended


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
        # A queen that is about to be taken is worth no more than the pawn that takes it.
        ("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", "4k3/3p4/8/8/4P3/8/8/4K3 w - - 0 1"),
    ],
)
def test_more_is_worth_more(position, better):
    assert NATIVE.State(position).evaluation > NATIVE.State(better).evaluation


def test_a_position_is_worth_the_same_from_either_side():
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
