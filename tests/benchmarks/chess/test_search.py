"""Tests of the search used as a baseline for rules.

It must find the expected moves, be deterministic, and have its answers scored.
"""

from __future__ import annotations

import chess
import pytest

from benchmarks.chess.search import MaterialSearch, few_of_each, material, score, table
from hornbook.theories.chess.problems import ChessAnswer, parse_problems, shipped


@pytest.mark.parametrize(
    ("fen", "depth", "move"),
    [
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 2, "a1a8"),
        ("4q3/8/8/4k3/8/8/8/R5K1 w - - 0 1", 3, "a1e1"),
        ("r5k1/8/8/8/8/8/5PPP/6K1 b - - 0 1", 2, "a8a1"),
    ],
)
def test_it_finds_mates_and_skewers(fen, depth, move):
    search = MaterialSearch()
    best, _ = search.best(chess.Board(fen), depth)
    assert best is not None
    assert search.nodes > 10
    assert best.uci() == move


def test_it_is_plain_minimax_of_quiet_material():
    """Alpha-beta must give the same value as minimax without cuts."""

    def quiet(board: chess.Board) -> int:
        best = material(board)
        for move in list(board.generate_legal_captures()):
            board.push(move)
            best = max(best, -quiet(board))
            board.pop()
        return best

    def minimax(board: chess.Board, depth: int, plies: int) -> int:
        if depth == 0:
            return quiet(board)
        values = []
        for move in list(board.legal_moves):
            board.push(move)
            values.append(-minimax(board, depth - 1, plies + 1))
            board.pop()
        return max(values) if values else (plies - 1000 if board.is_check() else 0)

    for fen in ("4q3/8/8/4k3/2p5/8/1P6/R5K1 w - - 0 1", "r3k3/8/2n5/3p4/4P3/2N5/8/4K2R b - - 0 1"):
        board = chess.Board(fen)
        assert MaterialSearch().best(board, 2)[1] == minimax(board, 2, 0)


def test_answers_are_scored_and_printed():
    problems = few_of_each(parse_problems(shipped("held_out").read_text(encoding="utf-8")), 2)
    answers = {one.id: ChessAnswer(one.id, "GI", one.best_moves[0]) for one in problems}
    rows = score(problems, answers)
    assert rows[-1].outcomes == {"solved": len(problems), "unknown": 0, "wrong": 0}
    assert table(rows).splitlines()[0].split() == ["motif", "plies", "problems", "solved", "unknown", "wrong"]
