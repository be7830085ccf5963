"""Tests of matches on equal clocks: both sides use their time, and each opening is played with both colours."""

from __future__ import annotations

from itertools import islice

import pytest

from benchmarks.play.match import openings
from benchmarks.play.on_a_clock import OPPONENTS, ROWS, match
from benchmarks.play.thinking import NATIVE, PLIES, START
from hornbook.play.thinking.gathering import gather

SECONDS = 0.01


@pytest.mark.parametrize("opponent", OPPONENTS)
def test_no_side_spends_more_than_its_clock_has(opponent):
    statistics = gather(NATIVE, START, "othello", 200, 1, depth=4)
    starts = list(islice(openings(NATIVE, START, PLIES, 1), 2))
    for row in (ROWS[0], ROWS[-1]):
        score = match(row, opponent, SECONDS, statistics, starts)
        assert score.games == 4
        for spent in score.spent:
            assert 0 < spent.seconds < 4 * 2 * SECONDS  # a step under way is finished
