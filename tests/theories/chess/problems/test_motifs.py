"""Tests of motifs by geometry: one position for each, and one near miss."""

from __future__ import annotations

import chess
import pytest

from oracles.chess.judge import ChessGoal
from oracles.chess.motifs import is_back_rank_mate, taking_motif


@pytest.mark.parametrize(
    ("fen", "move", "target", "motif"),
    [
        ("4q3/8/8/4k3/8/8/8/R5K1 w - - 0 1", "a1e1", "e8", "skewer"),
        ("4k3/8/8/4q3/8/8/8/R5K1 w - - 0 1", "a1e1", "e5", "pin"),
        ("4k3/8/8/4n3/8/8/8/R5K1 w - - 0 1", "a1e1", "e5", "pin"),
        ("r3k3/8/8/3N4/8/8/8/6K1 w - - 0 1", "d5c7", "a8", "fork"),
        ("r7/4k3/8/8/8/2N5/1B6/6K1 w - - 0 1", "c3d5", "a8", None),
        ("7r/8/8/8/8/2N5/1B6/k5K1 w - - 0 1", "c3e4", "h8", "discovered"),
        ("6k1/8/2n5/4r3/8/5N2/8/B1R3K1 w - - 0 1", "c1c6", "e5", "guard"),
        ("6k1/8/8/8/8/8/1p6/n5K1 w - - 0 1", "g1f1", "a1", None),
        ("6k1/p7/1b6/8/8/2P5/1P6/6K1 w - - 0 1", "b2b4", "b6", None),
        ("6k1/pp6/8/b7/8/8/1P6/6K1 w - - 0 1", "b2b4", "a5", "trapped"),
    ],
)
def test_a_motif_is_seen(fen, move, target, motif):
    goal = ChessGoal("take", chess.parse_square(target))
    assert taking_motif(chess.Board(fen), goal, chess.Move.from_uci(move)) == motif


@pytest.mark.parametrize(
    ("fen", "move", "back_rank"),
    [
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8", True),
        ("6k1/5pp1/8/8/8/8/8/R5K1 w - - 0 1", "a1a8", False),  # no mate: h7 is free
        ("7k/8/6K1/8/8/8/8/R7 w - - 0 1", "a1a8", False),  # no own pawn
    ],
)
def test_a_back_rank_mate_is_seen(fen, move, back_rank):
    assert is_back_rank_mate(chess.Board(fen), chess.Move.from_uci(move)) == back_rank
