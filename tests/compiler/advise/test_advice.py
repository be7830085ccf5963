"""Tests of rules with an open amount: solutions in a state, rules left out, and conflicts of goals."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hornbook.compiler.advise.advice import Adviser, AmountAdvice
from hornbook.compiler.advise.amounts import DOMAIN
from hornbook.compiler.advise.conflicts import conflicts
from hornbook.inputs.theories import load
from hornbook.kb.ast.theory import Theory
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.format.printer import print_condition

WATER = (Path(__file__).parent / "data" / "advice_water.horn").read_text(encoding="utf-8")
FACTS = "holds(jug, 12). holds(cup, 3). level(jug, 4). level(cup, 1)."


@pytest.fixture
def theory(tmp_path):
    path = tmp_path / "water.horn"
    path.write_text(WATER, encoding="utf-8")
    return load(path)


def advice(theory: Theory, facts: str = FACTS) -> tuple[list[AmountAdvice], list[str]]:
    base = KnowledgeBase(theory, derivations="none")
    adviser = Adviser(base, theory.rules, "amount")
    base.add_text(facts)
    return adviser.advice(), adviser.left_out


def test_each_rule_is_solved_for_each_thing_that_it_matches(theory):
    found, left_out = advice(theory)
    last = DOMAIN.parts[0][1]
    assert {(a.rule, print_condition(a.open_decision)): a.amounts.parts for a in found} == {
        ("enough", "pour(jug, ?n)"): ((8, last),),
        ("enough", "pour(cup, ?n)"): ((2, last),),
        ("too_much", "pour(jug, ?n)"): ((7, last),),
        ("too_much", "pour(cup, ?n)"): ((10, last),),
        ("little", "pour(jug, ?n)"): ((1, 6),),
        ("little", "pour(cup, ?n)"): ((1, 9),),
    }
    # The solver leaves out a rule with a fact about the amount itself, and a rule whose amount is not open.
    assert left_out == ["by_luck", "as_given"]


def test_what_bounds_an_amount_is_named_with_its_facts(theory):
    found, _ = advice(theory)
    jug = next(a for a in found if (a.rule, print_condition(a.decision)) == ("enough", "pour(jug, ?k)"))
    (limit,) = jug.grounds[0].excluding(7)
    assert print_condition(limit.comparison) == "4 + ?n >= 12"
    assert [print_condition(fact) for fact in limit.facts] == ["level(jug, 4)", "holds(jug, 12)"]
    assert jug.grounds[0].excluding(8) == ()


def test_goals_conflict_over_the_decision_that_no_amount_serves(theory):
    found, _ = advice(theory)
    (conflict,) = conflicts(found, (), ())
    assert print_condition(conflict.decision) == "pour(jug, ?n)"
    assert {print_condition(side.goal) for side in (conflict.one, conflict.other)} == {"full(jug)", "dry"}
    # Below 7 it is unknown whether the jug is full. So no amount is known to serve both goals, but none is
    # ruled out.
    assert not conflict.is_certain
    assert {"holds(jug, 12)", "level(jug, 4)"} == {print_condition(fact) for fact in conflict.facts}


def test_a_goal_that_is_reached_already_wants_nothing(theory):
    found, _ = advice(theory)
    goals = {each.goal for each in found}
    assert conflicts(found, goals, ()) == []


def test_advice_follows_the_state(theory):
    before, _ = advice(theory)
    after, _ = advice(theory, FACTS.replace("level(jug, 4)", "level(jug, 9)"))
    assert [a.amounts.parts[0][0] for a in before if a.rule == "enough"] != [
        a.amounts.parts[0][0] for a in after if a.rule == "enough"
    ]


def test_amounts_may_be_decimal_numbers(tmp_path):
    path = tmp_path / "water.horn"
    lines = [line for line in WATER.splitlines() if not line.startswith("divided")]
    text = re.sub(r"(?<![\w.])(\d+)(?!\w|\.\d)", r"\1.0", re.sub(r"\bint\b", "litres", "\n".join(lines)))
    path.write_text(text.replace("sort pot.", "sort pot. sort litres = decimal(1)."), encoding="utf-8")
    found, _ = advice(load(path), re.sub(r"(\d+)", r"\1.0", FACTS))
    jug = next(a for a in found if (a.rule, print_condition(a.open_decision)) == ("enough", "pour(jug, ?n)"))
    (limit,) = jug.grounds[0].excluding(70)
    assert print_condition(limit.comparison) == "4.0 + ?n >= 12.0"
    assert jug.amounts.parts[0][0] == 80
