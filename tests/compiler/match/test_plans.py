"""Tests of plans that apply in a state: every instance with its moves, its action and its substitution."""

from __future__ import annotations

from pathlib import Path

import pytest

from hornbook.compiler.match.plans import PlanMatcher, plans
from hornbook.compiler.rules.rulebase import check_learned
from hornbook.inputs.theories import load
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.parse.facts import FactError
from hornbook.kb.parse.syntax import parse

GAMES = Path(__file__).parents[3] / "oracles" / "proofs" / "games"
PLANS = """
two_there: plan win(?c) in 1 by put(?c, ?p) :-
  legal(?c, ?p), line(?r, ?p), line(?r, ?q), ?p != ?q, line(?r, ?s), ?p != ?s, ?q != ?s, mark(?q, ?c), mark(?s, ?c).
one_there: plan win(?c) in 2 by put(?c, ?p) :-
  legal(?c, ?p), line(?r, ?p), line(?r, ?q), ?p != ?q, legal(?c, ?q), line(?r, ?s), ?p != ?s, ?q != ?s, mark(?s, ?c).
a_value: win(?c) by put(?c, ?p) is GI :- legal(?c, ?p), line(?r, ?p), line(?r, ?q), ?p != ?q, mark(?q, ?c).
"""


@pytest.fixture(scope="module")
def theory():
    return load(GAMES / "tic_tac_toe.horn")


def board(marks):
    cells = [f"{file}{rank}" for file in "abc" for rank in "123"]
    output = {cell: marks.get(cell, "empty") for cell in cells}
    return [
        GroundFact("going", ()),
        *(GroundFact("mark", (cell, mark)) for cell, mark in output.items()),
        *(GroundFact("at", (mark, cell)) for cell, mark in output.items()),
    ]


def reported(found):
    return {(p.goal.terms[0].value, p.moves, p.action.terms[1].value, p.rule) for p in found}


def test_all_plans_of_both_sides_apply_and_the_shortest_come_first(theory):
    rules = parse(PLANS).clauses
    assert check_learned(rules, theory) == []
    found = plans(rules, theory, board({"a1": "x", "b1": "x", "c3": "o", "a3": "o"}))
    assert reported(p for p in found if p.moves == 1) == {
        ("x", 1, "c1", "two_there"),
        ("o", 1, "b3", "two_there"),
    }
    # A row with one mark of the player and two free cells: b of x; falling (a3 c1) and right (c3) of o.
    assert {each[:3] for each in reported(p for p in found if p.moves == 2)} == {
        ("x", 2, "b2"),
        ("x", 2, "b3"),
        ("o", 2, "b2"),
        ("o", 2, "c1"),
        ("o", 2, "c2"),
    }
    assert [p.moves for p in found] == sorted(p.moves for p in found)
    first = found[0]
    assert {name: first.bindings[name].value for name in ("c", "p")} == {
        "c": first.goal.terms[0].value,
        "p": first.action.terms[1].value,
    }


def test_one_matcher_goes_from_state_to_state(theory):
    matcher = PlanMatcher(theory, parse(PLANS).clauses)
    states = [board({"a1": "x", "b1": "x"}), board({"a1": "x"}), board({}), board({"a1": "x", "b1": "x"})]
    found = [reported(matcher.plans(state)) for state in states]
    assert found == [reported(plans(parse(PLANS).clauses, theory, state)) for state in states]
    assert found[0] == found[3]
    assert found[2] == set()


def test_a_fact_that_does_not_fit_is_refused(theory):
    with pytest.raises(FactError):
        plans(parse(PLANS).clauses, theory, [GroundFact("mark", ("a1",))])
