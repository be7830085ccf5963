"""Tests of the table of skewers: every row has the pattern, and the judge agrees with the table."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import chess
import pytest

from oracles.chess.judge import ChessGoal, refutations, wins_by
from oracles.chess.skewers import BASE, KINDS, REASONS, has_pattern, is_clean, judged, parse_skewers, reason

ROWS = parse_skewers((Path(__file__).parent / "skewers.tsv").read_text(encoding="utf-8"))


def test_there_are_enough_of_each():
    verdicts, why = Counter(row.verdict for row in ROWS), Counter(row.why for row in ROWS)
    assert verdicts["take"] >= 30
    assert verdicts["no"] >= 30
    assert all(why[one] >= 4 for one in REASONS)
    assert len(why) == len(REASONS) + sum(len(targets) for targets in KINDS.values())
    assert ROWS[0].fen == BASE
    assert len({row.fen for row in ROWS}) == len(ROWS)


def test_every_row_is_what_it_says():
    for row in ROWS:
        board, move, target = (
            chess.Board(row.fen),
            chess.Move.from_uci(row.move),
            chess.parse_square(row.target),
        )
        goal = ChessGoal("take", target)
        assert board.is_valid()
        assert has_pattern(board, move, target), row
        assert not wins_by(board, goal, move, 1), row
        assert wins_by(board, goal, move, 3) == (row.verdict == "take"), row
        if row.verdict == "take":
            assert is_clean(board, move, target), row
        else:
            found = {reason(board, move, reply, target) for reply in refutations(board, goal, move, 3)}
            assert found == {row.why}, row


@pytest.mark.parametrize(
    ("fen", "why"),
    [
        ("4q3/8/8/8/8/8/4k3/R5K1 w - - 0 1", "the king takes the checking piece"),
        ("4q3/8/8/4k3/7b/8/8/R5K1 w - - 0 1", "a piece takes the checking piece"),
        ("4q3/8/8/4k3/7r/8/8/R5K1 w - - 0 1", "a piece interposes"),
        ("4r3/8/8/8/4k3/8/8/R5K1 w - - 0 1", "rook, king, rook"),
        ("8/4r3/8/4k3/8/8/8/R5K1 w - - 0 1", "the king protects the target"),
        ("4r2r/8/8/4k3/8/8/8/R5K1 w - - 0 1", "a piece protects the target"),
    ],
)
def test_reasons_are_found(fen, why):
    board = chess.Board(fen)
    target = next(s for s in range(60, 0, -8) if board.piece_type_at(s) in {chess.QUEEN, chess.ROOK})
    row = judged(board, chess.Move.from_uci("a1e1"), target)
    assert row is not None
    assert row.why == why
