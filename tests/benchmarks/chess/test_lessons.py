"""The command that learns plans lesson by lesson: it learns from a line that earns something, and tests with what it learned."""

from __future__ import annotations

import shutil

import pytest

from benchmarks.chess.lessons import main
from oracles.chess.positions import STOCKFISH

pytestmark = pytest.mark.skipif(shutil.which(STOCKFISH) is None, reason="stockfish is not installed")

POSITIONS = '8/2P5/8/8/8/8/6k1/K7 w - - bm c8=Q; id "one";\n8/5P2/8/8/8/8/1k6/7K w - - bm f8=Q; id "two";\n'


def test_a_lesson_gives_the_plan_that_the_other_position_needs(tmp_path, capsys):
    epd = tmp_path / "two.epd"
    epd.write_text(POSITIONS)
    assert main(["--epd", str(epd), "--lessons", "1", "--nodes", "100"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.split("\n")]
    rows = [each for each in lines if each and each[0] in ("0", "1") and len(each) == 9]
    assert [each[:2] for each in rows] == [["0", "0"], ["1", "1"]]
    assert [each[4] for each in rows] == ["1", "1"]
    assert int(rows[1][5]) > int(rows[0][5])
    assert ["plan_crown_in_1_by_promote_1"] in lines
