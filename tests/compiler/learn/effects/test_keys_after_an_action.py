"""Tests of a rule that only names its action and was certified because of the keys after the action.

If the theory breaks that key, it concludes nothing. The rule must then conclude nothing either.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from hornbook.compiler.checker.checker import verify
from hornbook.compiler.checker.context import RejectedError
from hornbook.compiler.generalise.certification import certificate_of
from hornbook.compiler.generalise.regression import Regressed
from hornbook.compiler.learn.learner import ProvedExample, explanation_of, learn, solve
from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.examples import example_facts
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.format.printer import print_condition, print_rule
from hornbook.kb.load.loader import load_text
from hornbook.kb.lower.errors import KnowledgeBaseError

PAINT = (Path(__file__).parent / "data" / "keys_after_an_action_paint.horn").read_text(encoding="utf-8")
BROKEN_STATE = [
    GroundFact("parts", ("z", 2)),
    GroundFact("part", ("z", "a")),
    GroundFact("part", ("z", "c")),
    GroundFact("shade", ("a", "blue")),
]


def learned() -> ProvedExample:
    theory = load_text(PAINT)
    base = solve(theory, example_facts(theory, theory.examples[0])).base
    outcome = learn(explanation_of(base, "before win(z) by paint(a) is GI"), theory, "rule")
    assert isinstance(outcome, ProvedExample), outcome
    return outcome


def test_the_members_are_reported_apart_by_a_condition():
    assert "?p != ?p2" in {print_condition(condition) for condition in learned().rule.body}


def test_without_it_the_rule_is_rejected():
    found = learned()
    body = tuple(c for c in found.rule.body if print_condition(c) != "?p != ?p2")
    weakened = Regressed(Rule(found.rule.head, body, "weakened"), found.certificate.steps)
    theory = load_text(PAINT)
    with pytest.raises(RejectedError):
        verify(weakened.rule, certificate_of(weakened.rule, weakened.steps, theory, {}), theory)


def test_where_the_theory_breaks_its_key_the_rule_is_silent():
    theory = load_text(PAINT)
    base = KnowledgeBase(theory)
    base.add(BROKEN_STATE)
    with pytest.raises(KnowledgeBaseError, match="two values for one key"):
        base.add([GroundFact("paint", ("a",))])
    base.add_text(print_rule(learned().rule))
    assert not base.query("win(_) by paint(a) is _")
    # The theory also counts it as a win if the other part is painted.
    assert base.query("win(?z) by paint(c) is ?v").to_tuples() == [("z", "GI")]
    base.add([GroundFact("paint", ("c",))])
    assert base.query("after done(z)")
