"""Tests of the slow reference interpreter against SWI-Prolog, which uses a translation of its own."""

from random import Random

import pytest

from hornbook.planner.gdl.game import Game
from oracles.gdl import side_by_side
from oracles.gdl.own_sheets import SHEETS
from oracles.gdl.prolog_game import SWIPL, PrologGame
from oracles.gdl.prolog_text import expressions, program
from oracles.gdl.side_by_side import compare

with_prolog = pytest.mark.skipif(SWIPL is None, reason="SWI-Prolog is not installed")


def test_there_are_a_dozen_sheets_and_more():
    assert len(SHEETS) >= 12


@pytest.mark.judges
@with_prolog
@pytest.mark.parametrize("name", SHEETS)
def test_games_at_random_are_the_same(name):
    found = compare(SHEETS[name].read_text(encoding="utf-8"), Random(7), games=6, most=20)
    assert found.difference is None
    assert found.games == 6
    assert found.states >= 15
    assert found.ended > 0 or name == "stuck"


@pytest.mark.judges
@with_prolog
@pytest.mark.parametrize("broken", ["legal", "next", "terminal", "goal"])
def test_a_difference_is_found(broken, monkeypatch):
    right = getattr(Game, broken)

    def wrong(game, *reported):
        answer = right(game, *reported)
        if broken == "terminal":
            return True
        if broken == "next":
            return answer | {("cell", "9", "9", "x")}
        return {role: values[1:] for role, values in answer.items()}

    monkeypatch.setattr(side_by_side.Game, broken, wrong)
    found = compare(SHEETS["nim"].read_text(encoding="utf-8"), Random(7), games=2, most=20)
    assert found.difference is not None
    assert found.difference.startswith(f"{broken}: ")


@pytest.mark.judges
@with_prolog
def test_prolog_says_what_the_rules_say():
    with PrologGame(
        "(role p) (init a) (<= (legal p (do ?x)) (true ?x)) (<= (next ?x) (does p (do ?x)))"
    ) as game:
        assert game.roles == ("p",)
        assert game.initial == {"a"}
        assert game.look(["a", ("f", "it's")])[0] == {"p": {("do", "a"), ("do", ("f", "it's"))}}
        assert game.next(["a"], {"p": ("do", "b")}) == {"b"}


def test_what_needs_variables_waits_until_they_are_bound():
    written = program("(<= (p ?x) (not (q ?x ?y)) (distinct ?x a) (r ?x))").splitlines()[-1]
    assert written.index("r r") < written.index("r q")
    assert written.index("r r") < written.index("==")


@pytest.mark.parametrize("text", ["(p", "p)"])
def test_parentheses_that_do_not_fit_are_refused(text):
    with pytest.raises(ValueError, match="parenthesis"):
        expressions(text)
