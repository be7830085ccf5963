"""Tests of the study of full boards: the answers that it counts as right."""

from __future__ import annotations

import pytest

from benchmarks.go.full_boards import Attack, needed, outcomes_of, table
from hornbook.compiler.learn.lessons import Problem, RuleLearner
from hornbook.compiler.rules.admission import RuleBase
from hornbook.inputs.theories import load
from hornbook.play.answering.answering import Answerer
from hornbook.play.answering.plays import WithPasses
from hornbook.theories.domain import game
from hornbook.theories.go.play import chaining, tactics
from hornbook.theories.go.problems.lessons import PART
from hornbook.theories.go.states.diagram import parse_diagram

CAPTURE = parse_diagram("to play: black\n. . . . .\n. . X . .\n. X O . .\n. . X . .\n. . . . .")
LADDER = parse_diagram("to play: black\n. . . . .\n. . X . .\n. X O . .\n. . . . .\n. . . . .")


@pytest.fixture(scope="module")
def answerer():
    learner = RuleLearner(load(PART), tactics, RuleBase("go"))
    list(learner.learn([Problem("one", "", CAPTURE, game("take", "c3"), 1)]))
    return Answerer(load("go"), [entry.rule for entry in learner.base], WithPasses(chaining))


def test_an_answer_is_right_where_search_captures_in_as_many_moves_as_the_proof_needs(answerer):
    attacks = [Attack(CAPTURE, game("take", "c3"), 1), Attack(LADDER, game("take", "c3"), None)]
    outcomes, seconds = outcomes_of(answerer, {"take_by_move_is_gi_1": 1}, attacks, 0)
    assert outcomes == ["right", "unknown"]
    assert seconds > 0


def test_what_the_search_needs_is_counted_and_listed():
    assert needed(CAPTURE, CAPTURE.point("c3")) == 1
    attacks = [Attack(CAPTURE, game("take", "c3"), moves) for moves in (2, None, 2)]
    lines = [line.split() for line in table(attacks, ["right", "unknown", "unknown"]).splitlines()]
    assert lines == [
        ["moves", "of", "right", "unknown", "undecided", "wrong"],
        ["2", "2", "1", "1", "0", "0"],
        ["more", "1", "0", "1", "0", "0"],
        ["all", "3", "1", "2", "0", "0"],
    ]
