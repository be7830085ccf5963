"""Tests of the command that learns plans lesson by lesson.

It must learn from a line that achieves a goal, and test with the learned plans.
"""

from __future__ import annotations

import shutil

import chess
import pytest

from benchmarks.chess.lessons import main, split
from oracles.chess.positions import STOCKFISH

pytestmark = [
    pytest.mark.judges,
    pytest.mark.skipif(shutil.which(STOCKFISH) is None, reason="stockfish is not installed"),
]

POSITIONS = '8/2P5/8/8/8/8/6k1/K7 w - - bm c8=Q; id "one";\n8/3P4/8/8/8/8/1k6/7K w - - bm d8=Q; id "two";\n'


def test_a_lesson_gives_the_plan_that_the_other_position_needs(tmp_path, capsys):
    epd = tmp_path / "two.epd"
    epd.write_text(POSITIONS)
    queried = ["--lessons", "1", "--orders", "1", "--nodes", "100", "--abe", "1000"]
    assert main(["--epd", str(epd), *queried]) == 0
    lines = [line.split() for line in capsys.readouterr().out.split("\n")]
    rows = [each for each in lines if each and each[0] in ("0", "1", "2x1") and len(each) == 11]
    assert [each[:2] for each in rows] == [["0", "0.0"], ["1", "1.0"], ["2x1", "1.0"]]
    assert [each[5] for each in rows] == ["1", "0", "0"], "evaluations that are wrong"
    assert int(rows[1][7]) > int(rows[0][7])
    assert ["plan_crown_in_1_by_promote_1"] in lines


@pytest.mark.parametrize(
    "fen",
    ["8/2P5/8/8/8/8/6k1/K7 w - - 0 1", "8/5P2/8/8/8/8/1k6/7K w - - 0 1", "k7/6K1/8/8/8/8/2p5/8 b - - 0 1"],
)
def test_what_mirrors_a_lesson_is_not_tested(fen):
    lesson, other = (
        chess.Board("8/5P2/8/8/8/8/1k6/7K w - - 0 1"),
        chess.Board("8/3P4/8/8/8/8/1k6/7K w - - 0 1"),
    )
    both = [("lesson", lesson), ("mirrored", chess.Board(fen)), ("other", other)]
    for seed in map(str, range(6)):
        lessons, tests = split(both, seed, 1)
        names = {name for name, _ in (*lessons, *tests)}
        assert tuple(name for name, _ in tests) == ("other",) or lessons[0][0] == "other"
        assert names >= {"other"}
