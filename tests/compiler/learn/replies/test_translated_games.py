"""Tests of rules against every reply that positions of translated games teach; search is the reference."""

from __future__ import annotations

import pytest

from hornbook.kb.format.printer import print_rule
from hornbook.planner.translation.folder import write_folder
from oracles.gdl.learned_replies import Answers, LearnedReplies, learned_replies, states_of_games
from oracles.gdl.own_sheets import BOARDS, SHEETS

pytestmark = pytest.mark.deep


@pytest.fixture(scope="module", params=["noughts_and_crosses", "isola"])
def of(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> LearnedReplies:
    folder = tmp_path_factory.mktemp("games") / request.param
    write_folder({**SHEETS, **BOARDS}[request.param], folder)
    return learned_replies(folder, lessons=8, problems=12, seed=3)


def test_other_wins_are_answered(of: LearnedReplies):
    answers = Answers(of)
    assert [len(problems) for problems in of.problems.values()] == [12, 12]
    assert answers.answered(of.problems[1]) == 12
    assert answers.answered(of.problems[2]) >= 10


def test_no_answer_is_wrong(of: LearnedReplies):
    states = [*states_of_games(of.domain, 15, seed=3), *(each.state for each in of.problems[2])]
    assert list(Answers(of).wrong(states)) == []


def test_rules_are_short_and_certified(of: LearnedReplies):
    of.verified()
    assert of.conditions <= 30
    shown = "\n".join(map(print_rule, of.rules))
    assert "_after_every_" in shown
