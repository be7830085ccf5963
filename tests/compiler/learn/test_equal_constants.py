"""Tests that constants of an example become variables only as the proof requires.

If each constant of an example became one variable, two different objects with the same name would be merged,
and the rule would be too special. A constant of a rule would become a variable, and the rule would be too
general. Unification of the rules avoids both errors.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hornbook.compiler.learn.learner import ProvedExample, explanation_of, learn, solve
from hornbook.compiler.refute.countermodel import find
from hornbook.compiler.rules.subsumption import variants
from hornbook.kb.ast.terms import Constant, Rule
from hornbook.kb.base.examples import example_facts
from hornbook.kb.format.printer import print_rule
from hornbook.kb.load.loader import load_text
from hornbook.kb.parse.syntax import parse

LIFT = (Path(__file__).parent / "data" / "equal_constants_lift.horn").read_text(encoding="utf-8")


def rule_of(text: str) -> Rule:
    (rule,) = (clause for clause in parse(text).clauses if isinstance(clause, Rule))
    return rule


def learned(example: str, goal: str) -> Rule:
    theory = load_text(LIFT + f"example case: {example}.\n")
    base = solve(theory, example_facts(theory, theory.examples[0])).base
    outcome = learn(explanation_of(base, goal), theory, "rule")
    assert isinstance(outcome, ProvedExample), outcome
    assert find(outcome.rule, theory, tries=300) is None
    return outcome.rule


CASES = {
    "equal constants with different roles": (
        # Floor 1 and load 1: one number in two roles.
        "floor(s, 1), load(s, 1), limit(s, 8), go(s, up)",
        "before arrive(s) by go(s, up) is GI",
        "arrive(?s) by go(?s, up) is GI :- load(?s, ?n), limit(?s, ?m), 2 * ?n <= ?m, floor(?s, 1).",
    ),
    "a constant of a rule that is also one of the example": (
        # The limit is 2, like the floor of the goal; only the floor comes from the rule.
        "floor(s, 1), load(s, 1), limit(s, 2), go(s, up)",
        "before arrive(s) by go(s, up) is GI",
        "arrive(?s) by go(?s, up) is GI :- load(?s, ?n), limit(?s, ?m), 2 * ?n <= ?m, floor(?s, 1).",
    ),
    "one thing in two roles": (
        "likes(s, s)",
        "pair(s, s)",
        "pair(?a, ?b) :- likes(?a, ?a), likes(?b, ?b).",
    ),
    "recursion unfolds as often as the example needed it": (
        # A cycle: the same object again and again, with different variables in the rule.
        "linked(s, s)",
        "joined(s, s)",
        "joined(?a, ?b) :- linked(?a, ?b).",
    ),
    "a longer way round": (
        "linked(a, b), linked(b, a), linked(a, c)",
        "joined(b, c)",
        "joined(?a, ?c) :- linked(?a, ?b), linked(?b, ?c).",
    ),
    "recursion through arithmetic": (
        "floor(s, 1)",
        "reaches(s, 3)",
        "reaches(?s, ?g) :- floor(?s, ?f), ?h = ?f + 1, ?h < 3, ?g = ?h + 1.",
    ),
    "a condition on numbers stays one": (
        "load(s, 3), limit(s, 6)",
        "light(s)",
        "light(?s) :- load(?s, ?n), limit(?s, ?m), 2 * ?n <= ?m.",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_rule_is_what_the_proof_says(case):
    example, goal, expected = CASES[case]
    found = learned(example, goal)
    required = rule_of("rule: " + expected)
    assert variants(found, required), print_rule(found)


def test_naive_renaming_would_have_been_wrong():
    """Floor and load are both 1.

    One variable for the constant would connect them, which no proof requires.
    """
    found = learned(*CASES["equal constants with different roles"][:2])
    naive = rule_of("rule: arrive(?s) by go(?s, up) is GI :- load(?s, ?x), limit(?s, ?m), floor(?s, ?x).")
    assert not variants(found, naive)
    values = [t.value for c in found.body for t in getattr(c, "terms", ()) if isinstance(t, Constant)]
    assert values == [1]
    assert len(set(re.findall(r"\?\w+", print_rule(found)))) == 3
