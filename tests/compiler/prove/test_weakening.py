"""Tests of weakening: a condition that follows from another by a rule becomes a step of the proof."""

from __future__ import annotations

from itertools import permutations

import pytest

from hornbook.compiler.checker.certificate import ProofStep
from hornbook.compiler.prove.weakening import without_weaker
from hornbook.kb.ast.terms import Rule
from hornbook.kb.format.printer import print_condition
from oracles.go.capture_lessons import THEORY, problem_learner
from oracles.proofs.learned_rules import rejection, rule_of, step, theory_of

MADE = theory_of(
    """
sort node.
static level(int).
static thing(node).
derived firm(node, int) operational.
derived safe(node, int) operational.
derived said(node, int) operational.
fluent load(node -> int).
derived good(node).
level(1).
level(2).
level(3).
firm: firm(?n, ?k) :- level(?k), load(?n, ?l), ?l >= ?k.
safe: safe(?n, ?k) :- level(?k), load(?n, ?l), ?l <= ?k.
said: said(?n, ?k) :- level(?k), load(?n, ?k).
less_firm: firm(?n, ?j) :- firm(?n, ?k), level(?j), ?j < ?k.
safer: safe(?n, ?j) :- safe(?n, ?k), level(?j), ?j > ?k.
good: good(?n) :- firm(?n, 1), firm(?n, 2).
"""
)


def weaker(text: str) -> tuple[Rule, tuple[ProofStep, ...]]:
    return without_weaker(rule_of(text), MADE)


def conditions(text: str) -> list[str]:
    return [print_condition(condition) for condition in weaker(text)[0].body]


@pytest.mark.parametrize(
    ("body", "stored"),
    [
        ("firm(?n, 1), firm(?n, 2)", ["firm(?n, 2)"]),
        ("firm(?n, 2), firm(?n, 1)", ["firm(?n, 2)"]),
        ("firm(?n, 1), firm(?n, 3), firm(?n, 2)", ["firm(?n, 3)"]),
        ("safe(?n, 1), safe(?n, 2)", ["safe(?n, 1)"]),
        ("firm(?n, 1), firm(?n, 1)", ["firm(?n, 1)", "firm(?n, 1)"]),
        ("firm(?n, 1), firm(?m, 2), thing(?m)", ["firm(?n, 1)", "firm(?m, 2)", "thing(?m)"]),
        ("firm(?n, 0), firm(?n, 2)", ["firm(?n, 0)", "firm(?n, 2)"]),  # 0 is no level
        ("firm(?n, ?k), firm(?n, 2), level(?k)", ["firm(?n, ?k)", "firm(?n, 2)", "level(?k)"]),
        ("said(?n, 1), said(?n, 2)", ["said(?n, 1)", "said(?n, 2)"]),  # no rule leads from one to the other
        ("firm(?n, 1), safe(?n, 2)", ["firm(?n, 1)", "safe(?n, 2)"]),
    ],
)
def test_what_is_strong_enough_is_queried_for_only(body, stored):
    assert conditions(f"good(?n) :- {body}.") == stored


@pytest.mark.parametrize("body", ["firm(?n, 1), firm(?n, 2)", "firm(?n, 1), firm(?n, 2), firm(?n, 3)"])
def test_the_steps_give_back_what_was_dropped(body):
    rule, given = weaker(f"good(?n) :- {body}.")
    use = step("good", n="?n")
    assert rejection(rule, [*given, use], MADE) == ""
    assert "`firm(?n, 1)`" in rejection(rule, [use], MADE)


def test_every_order_of_three_gives_steps_that_can_be_followed():
    for order in permutations((1, 2, 3)):
        body = ", ".join(f"firm(?n, {k})" for k in order)
        rule, given = weaker(f"good(?n) :- {body}.")
        assert len(given) == 2
        assert rejection(rule, [*given, step("good", n="?n")], MADE) == ""


def test_no_rule_about_captures_asks_for_less_and_for_more():
    for proved in problem_learner().proved:
        again, steps = without_weaker(proved.rule, THEORY)
        assert (again, steps) == (proved.rule, ())
