"""Tests of the measurement of learning in chess.

They cover the problems used, the counts, and the exclusion of rules without a proof.
"""

from __future__ import annotations

import pytest

import hornbook
from benchmarks.chess.answers import RuleSolver, TheorySolver, answers_of
from benchmarks.chess.learning import (
    by_motif,
    in_sum,
    learned,
    main,
    matching,
    motif_of,
    rules_by_motif,
    some,
)
from benchmarks.chess.search import few_of_each
from hornbook.compiler.rules import rulebase
from hornbook.compiler.rules.admission import RuleEntry, rule_base
from hornbook.inputs.theories import load
from hornbook.theories.chess.problems.problem import parse_problems, shipped
from hornbook.theories.chess.problems.score import ChessAnswer

pytestmark = pytest.mark.deep

MOTIFS = ("mate1", "fork")


@pytest.fixture(scope="module")
def theory():
    return load("chess")


@pytest.fixture(scope="module")
def base(theory):
    return learned(theory, some(hornbook.read_problems("chess"), 2, MOTIFS))


@pytest.fixture(scope="module")
def problems():
    path = shipped("held_out")
    found = parse_problems(path.read_text(encoding="utf-8"), str(path))
    return [problem for problem in few_of_each(found, 2) if problem.motif in MOTIFS]


def test_learning_answers_what_the_theory_only_does_not(theory, base, problems):
    only, taught = TheorySolver(theory, problems[0]), RuleSolver(theory, base)
    columns = [
        answers_of("theory", problems, only.as_it_is),
        answers_of("each move", problems, only.by_each_move),
        answers_of("rules", problems, lambda problem: taught.answer(problem, 1)),
    ]
    solved = [[row.outcomes["solved"] for row in each.rows] for each in columns]
    assert [(row.motif, row.depth) for row in columns[0].rows] == [("fork", 3), ("mate1", 1), (None, None)]
    assert solved == [[0, 0, 0], [0, 2, 2], [2, 2, 4]]
    assert by_motif(columns).splitlines()[-1].split() == ["all", "4", "0/4/0", "2/2/0", "4/0/0"]
    assert [line.split()[-5:-1] for line in in_sum(columns).splitlines()[1:]] == [
        ["4", "0", "4", "0"], ["4", "2", "2", "0"], ["4", "4", "0", "0"]
    ]  # fmt: skip
    assert matching(theory, base, problems) > 0


def test_a_move_that_wins_deeper_than_the_problem_was_searched_is_not_wrong():
    path = shipped("held_out")
    (deep,) = (p for p in parse_problems(path.read_text(encoding="utf-8"), str(path)) if p.id == "fork-198")
    for deeper, outcome in ((0, "wrong"), (2, "solved")):
        output = answers_of("", [deep], lambda problem: ChessAnswer(problem.id, "GI", "f2a2"), deeper=deeper)
        assert [row.outcomes[outcome] for row in output.rows] == [1, 1]  # type: ignore[index]


def test_rules_are_counted_by_what_first_taught_them(base):
    lines = [line.split() for line in rules_by_motif(base).splitlines()[1:]]
    assert {line[0] for line in lines} == set(MOTIFS)
    assert sum(int(line[1]) for line in lines) == len(base)
    assert sum(int(line[2]) for line in lines) == sum(len(entry.rule.body) for entry in base)
    assert motif_of("back-rank-007") == "back-rank"


def test_rules_without_a_proof_are_not_queried(base, tmp_path):
    path = tmp_path / "bare.horn"
    rulebase.write(rule_base("chess", [RuleEntry(entry.rule, None, None) for entry in base]), path)
    with pytest.raises(SystemExit, match="rules without a proof"):
        main(["--rules", str(path)])
