"""Tests of the judge of pawn endings: it looks up three men in a table, and uses Stockfish for more."""

from __future__ import annotations

import shutil

import chess
import pytest

from oracles.chess import figure_two
from oracles.chess.ending_judge import ending_judge, table_says
from oracles.chess.positions import STOCKFISH

has_stockfish = pytest.mark.skipif(shutil.which(STOCKFISH) is None, reason="stockfish is not installed")


def test_three_men_are_looked_up_for_both_colours():
    assert table_says(chess.Board("8/7k/5K2/6P1/8/8/8/8 w - - 0 1")) is chess.WHITE
    assert table_says(chess.Board("8/8/8/8/6p1/5k2/7K/8 b - - 0 1")) is chess.BLACK
    assert table_says(chess.Board("k7/8/K7/P7/8/8/8/8 w - - 0 1")) == "nobody"
    assert table_says(chess.Board("k7/p7/K7/P7/8/8/8/8 w - - 0 1")) is None


@pytest.mark.judges
@has_stockfish
def test_a_promotion_against_a_pawn_on_the_seventh_rank_is_no_win():
    with ending_judge((20_000,)) as judge:
        drawn = chess.Board("7K/4P3/8/8/8/8/p7/1k6 w - - 0 1")
        assert not judge.wins(drawn)
        won = chess.Board("7K/4P3/8/8/3p4/8/8/1k6 w - - 0 1")
        assert judge.wins(won)
        assert judge.keeps(won, chess.Move.from_uci("e7e8q"))
        assert not judge.keeps(won, chess.Move.from_uci("e7e8n"))


@pytest.mark.judges
@has_stockfish
def test_nobody_wins_by_stalemate_and_mate_is_lost():
    with ending_judge((1,)) as judge:
        assert not judge.wins(chess.Board("k7/P7/K7/8/8/8/8/8 b - - 0 1"))
        assert not judge.loses(chess.Board("k7/P7/K7/8/8/8/8/8 b - - 0 1"))
        assert judge.loses(chess.Board("k7/1Q6/1K6/8/8/8/8/8 b - - 0 1"))


def test_the_placements_of_figure_two_are_legal_and_all_different():
    boards = list(figure_two.placements())
    assert len({board.fen() for board in boards}) == len(boards) > 3_000
    assert all(board.is_valid() for board in boards[::50])
    assert figure_two.some(3, 1) == figure_two.some(3, 1)
