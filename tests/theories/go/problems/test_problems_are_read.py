"""Tests that the reader solves the shipped problems: a sample, since all of them take minutes.

`python -m benchmarks.go.capture_search --check` checks all.
"""

from __future__ import annotations

import pytest

from hornbook.theories.go.problems import read_problems, shipped
from hornbook.theories.go.reader import CaptureSearch

PROBLEMS = read_problems(shipped("train"))
SAMPLE = [p for p in PROBLEMS if p.depth == 7][:12] + [p for p in PROBLEMS if p.depth in (1, 3, 5)][:40]


@pytest.mark.parametrize("problem", SAMPLE, ids=lambda problem: problem.id)
def test_the_shortest_capture_and_its_moves_are_those_of_the_solution(problem):
    reading = CaptureSearch(problem.board, problem.target)
    needed = reading.moves_needed(5)
    assert needed is not None
    assert 2 * needed - 1 == problem.depth
    assert reading.best_move(5) in problem.best_moves
    # The list has the moves that need no ko.
    strict = CaptureSearch(problem.board, problem.target, ko="defender ignores")
    assert strict.winning_moves(needed) == set(problem.best_moves)
    if problem.value == "GG":
        assert 2 * (reading.moves_needed(5, problem.defender) or 0) == problem.depth_defender_first


@pytest.mark.parametrize(
    "problem", [p for p in PROBLEMS if p.value == "PP" and p.size == 7][:10], ids=lambda problem: problem.id
)
def test_what_has_no_solution_is_not_captured(problem):
    assert not CaptureSearch(problem.board, problem.target).captured_within(5)
