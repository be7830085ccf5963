"""Tests of the script that measures captures by search.

It must run, and its check must find a wrong solution.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmarks.go import capture_search
from hornbook.theories.go.problems import CaptureProblem, read_problems, shipped

FEW = [problem for problem in read_problems(shipped("hundred")) if problem.depth == 3][:4]


@pytest.mark.parametrize("search", [capture_search.exhaustive, capture_search.selective])
def test_a_table_has_a_row_for_each_depth(search):
    table = capture_search.measure("it", search, FEW, 1, None).splitlines()
    assert len(table) == 2
    assert table[1].split()[:3] == ["3", "4", "4"]


def test_a_wrong_solution_is_found(capsys):
    assert capture_search.check(FEW) == 0
    wrong: CaptureProblem = replace(FEW[0], depth=5)
    assert capture_search.check([wrong]) == 1
    assert capsys.readouterr().out.splitlines()[1] == f"{wrong.id}: depth"
