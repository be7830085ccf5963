"""Tests of matches of sampled trees: each row can be played, and names the scores of both sides."""

from __future__ import annotations

import re

import pytest

from benchmarks.play.sampled import ROWS, match


@pytest.mark.parametrize("row", [ROWS[2], ROWS[-1]], ids=lambda row: row.game)
def test_a_row_says_its_score_and_what_it_took(row):
    line = match(row, 2, 0.001, 1)
    assert line.startswith(f"{row.game:<8} {row.what}")
    assert re.search(r" (0|25|50|75|100)\.0 +\d+\.\d to +\d+\.\d +\d+ +\d+$", line)
