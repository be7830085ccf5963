"""Tests of the problems of Abalone, both shipped and generated."""

from __future__ import annotations

from hornbook.theories.abalone.domain import DOMAIN
from hornbook.theories.abalone.states import rules


def test_problems_that_ship_are_won_by_the_moves_that_are_named_and_by_no_others():
    problems = DOMAIN.read_problems(DOMAIN.shipped())
    assert len(problems) == 16
    for problem in problems:
        winning = {
            DOMAIN.write_move(problem.state, action)
            for action in DOMAIN.actions(problem.state)
            if rules.winner(DOMAIN.after(problem.state, action)) == problem.state.to_move
        }
        assert winning == set(problem.winning) != set()


def test_moves_that_push_are_reported_from_others():
    (state,) = DOMAIN.starts()
    assert not any(rules.pushes(state, move) for move in rules.moves(state))
    (problem, *_) = DOMAIN.read_problems(DOMAIN.shipped())
    found = [move for move in rules.moves(problem.state) if rules.pushes_off(problem.state, move)]
    after = [rules.after(problem.state, move) for move in found]
    assert {rules.lost(each, problem.state.opponent) for each in after} == {rules.LOST}
    assert len(found) == len(problem.winning)
    assert set(found) <= {move for move in rules.moves(problem.state) if rules.pushes(problem.state, move)}
