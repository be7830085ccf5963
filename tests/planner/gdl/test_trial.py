"""Tests of mistakes that only random games find.

A role has no move, a goal has no single value, or a game does not end.
"""

from __future__ import annotations

from random import Random

import pytest

from hornbook.planner.gdl.game import Game
from hornbook.planner.gdl.trial import first_faults, random_game

WALK = """
(role ann) (role ben) (init (at 0)) (after 0 1) (after 1 2)
(<= (legal ?r go) (role ?r))
(<= (next (at ?m)) (true (at ?n)) (after ?n ?m))
(<= terminal (true (at 2)))
(<= (goal ?r 50) (role ?r))
"""


def faults(sheet: str, most_plies: int = 10) -> list[tuple[str, int]]:
    return [(fault.message, fault.plies) for fault in random_game(Game(sheet), Random(1), most_plies)[1]]


def test_a_game_with_nothing_wrong():
    assert random_game(Game(WALK), Random(1), 2) == (2, ())


@pytest.mark.parametrize(
    ("was", "now", "found"),
    [
        ("(role ?r))", "(role ?r) (not (true (at 1))))", [("`ann` has no legal move", 1), ("`ben` has no legal move", 1)]),
        ("(legal ?r go) (role ?r)", "(legal ann go) (role ann)", [("`ben` has no legal move", 0)]),
        ("(goal ?r 50) (role ?r)", "(goal ann 50) (role ann)", [("the game is over, and `ben` has no goal", 2)]),
        ("(goal ?r 50) (role ?r)", "(goal ?r 7) (role ?r) (distinct ?r x)) (<= (goal ben 9) (role ben)) (<= (goal ann 7) (role ann)",
         [("the game is over, and `ben` has several goals: 7, 9", 2)]),
        ("(goal ?r 50) (role ?r)", "(goal ann 5) (role ann)) (value many) (value 1) (<= (goal ben ?v) (value ?v) (distinct ?v 1)",
         [("the goal of `ben` is many, which is not an integer from 0 to 100", 0)]),
        ("(goal ?r 50) (role ?r)", "(goal ann 5) (role ann)) (value 101) (value 7) (<= (goal ben ?v) (value ?v)",
         [("the goal of `ben` is 101, which is not an integer from 0 to 100", 0)]),
        ("(after 1 2)", "(after 1 0)", [("the game is not over", 10)]),
    ],
)  # fmt: skip
def test_what_goes_wrong(was, now, found):
    assert faults(WALK.replace(was, now, 1)) == found


def test_the_first_state_is_judged_without_a_game():
    stuck = Game(WALK.replace("(legal ?r go) (role ?r)", "(legal ann go) (role ann)"))
    assert [(fault.message, fault.plies) for fault in first_faults(stuck)] == [("`ben` has no legal move", 0)]
    assert first_faults(Game(WALK)) == ()


def test_a_game_that_ends_with_the_last_move_ends():
    assert faults(WALK, 2) == []
    assert faults(WALK, 1) == [("the game is not over", 1)]
