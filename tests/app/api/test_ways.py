"""The order of moves that plans suggest when no gain is proved."""

from __future__ import annotations

import pytest

from hornbook.api.best_moves import BestMoves
from hornbook.api.chains import Chains
from hornbook.api.ways import AT_ONCE, PlanMoves
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.format.printer import print_condition
from hornbook.theories.chess.domain import DOMAIN
from hornbook.theories.chess.states.fen import parse_fen

OPEN = "8/8/8/p7/3k4/8/7P/1K6 w - - 0 1"
"""A position without a gain at one level. The only king chases one pawn, or the other pawn runs."""


@pytest.fixture(scope="module")
def ways():
    return PlanMoves(DOMAIN)


def order(ways, fen, goal=None):
    return {print_condition(by): place for by, place in ways.order(parse_fen(fen), goal).items()}


def game(name, *about):
    return Atom(name, tuple(map(Constant, about)))


def test_a_side_that_is_reported_nothing_prefers_the_worthier_goal_and_then_the_shorter_plan(ways):
    found = order(ways, "8/8/8/8/7k/1p6/P7/K7 w - - 0 1")
    assert found["move(a2, a4)"] < found["move(a2, b3)"] < found["move(a1, b2)"]


def test_reported_a_goal_its_plans_only_count(ways):
    assert order(ways, OPEN, game("take", "a5")).keys() == {"move(b1, a2)", "move(b1, b2)", "move(b1, c2)"}
    assert order(ways, OPEN, game("crown", "white", "h2")) == {"move(h2, h4)": 1}


def test_a_check_comes_before_all_plans_since_nobody_can_pass_on_it(ways):
    found = order(ways, "8/8/8/7k/p7/8/K5P1/8 w - - 0 1", game("take", "a4"))
    assert found["move(g2, g4)"] == AT_ONCE
    assert {by for by, place in found.items() if place == 1} == {"move(a2, a3)", "move(a2, b3)"}


def test_where_no_plan_applies_nothing_is_reported_not_even_of_checks(ways):
    assert order(ways, "8/8/8/7k/8/6p1/4K1P1/8 w - - 0 1", game("crown", "white", "g2")) == {}


def test_nothing_is_reported_with_pieces_other_than_kings_and_pawns(ways):
    assert order(ways, OPEN) != {}
    assert order(ways, OPEN.replace("1K6", "1K5B")) == {}


@pytest.mark.deep
def test_of_moves_that_lose_nothing_a_chain_begins_with_the_first_of_a_plan(ways):
    theory = load("chess")
    chains = Chains(theory, (), BestMoves(theory, ()).gains)
    for goal in (game("take", "a5"), game("crown", "white", "h2")):
        ((_, chain),) = chains.won(parse_fen(OPEN), 1, goal)
        assert print_condition(chain.move) in order(ways, OPEN, goal)
