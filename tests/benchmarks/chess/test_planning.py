"""Tests of the command that plans pawn endings.

It must print verdicts and nodes, and find a certified verdict that is wrong.
"""

from __future__ import annotations

import shutil
from dataclasses import replace

import chess
import pytest

from benchmarks.chess.planning import PlanningRow, knowledge, main, row, summary
from hornbook.play.kep.kep import KepBounds
from oracles.chess.ending_judge import ending_judge
from oracles.chess.positions import STOCKFISH

pytestmark = [
    pytest.mark.judges,
    pytest.mark.skipif(shutil.which(STOCKFISH) is None, reason="stockfish is not installed"),
]


@pytest.fixture(scope="module")
def found() -> PlanningRow:
    with ending_judge((20_000,)) as judge:
        board = chess.Board("8/7k/5K2/6P1/8/8/8/8 w - - 0 1")
        return row("one", board, knowledge(), (100, 2, KepBounds(500, 200)), judge)


def test_a_position_is_planned_proved_and_judged(found):
    assert found.result.verdict == "won"
    assert found.won
    assert found.keeps
    assert not found.is_wrong
    assert found.result.nodes < 100


def test_what_the_judge_does_not_confirm_is_wrong(found):
    assert replace(found, won=False).is_wrong
    assert replace(found, keeps=False).is_wrong
    refuted = replace(found, result=replace(found.result, verdict="refuted"))
    assert refuted.is_wrong
    assert "wrong: 1" in "\n".join(summary([refuted]))


def test_the_command_reads_a_file(tmp_path, capsys):
    epd = tmp_path / "one.epd"
    epd.write_text('8/7k/5K2/6P1/8/8/8/8 w - - bm Kf7; id "one";\n')
    assert main(["--positions", "1", "--nodes", "200", "--epd", str(epd)]) == 0
    rows = [line.split() for line in capsys.readouterr().out.split("\n")]
    assert any(each[:3] == ["one", "won", "won"] for each in rows)
