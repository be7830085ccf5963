"""Tests that the learner uses no conclusion about the taken action for an action that a rule only names."""

from __future__ import annotations

import pytest

from hornbook.compiler.checker.checker import verify
from hornbook.compiler.checker.context import RejectedError
from hornbook.compiler.generalise.certification import certificate_of
from hornbook.compiler.learn.learner import ProvedExample, explanation_of, learn, solve
from hornbook.compiler.rules.subsumption import variants
from hornbook.kb.base.examples import example_facts
from oracles.proofs.learned_rules import rule_of, step, theory_of

HITS = """
sort side. sort point. static player(side). fluent open(point). fluent far(point). action hit(side, point).
derived target(side, point) operational. derived good(side). game win(side).
fine: after good(?c) :- hit(?c, ?p), before open(?p), before target(?c, ?q), before far(?q).
wins: before win(?c) by hit(?c, ?p) is GI :- player(?c), hit(?c, ?p), after good(?c).
"""
AIMS = "aims: before target(?c, ?p) :- hit(?c, ?p)."
AIMED = "fluent aimed(side, point). aims: target(?c, ?p) :- aimed(?c, ?p)."


def learned(theory_text: str, facts: str) -> ProvedExample:
    theory = theory_of(f"{theory_text} example one: {facts}, hit(x, a).")
    base = solve(theory, example_facts(theory, theory.examples[0])).base
    outcome = learn(explanation_of(base, "win(x) by hit(x, a) is GI"), theory, "learned")
    assert isinstance(outcome, ProvedExample), outcome
    verify(outcome.rule, outcome.certificate, theory)
    return outcome


def test_a_rule_asks_for_what_an_operational_predicate_says_of_its_own_action():
    rule = learned(HITS + AIMS, "player(x), open(a), far(a)").rule
    assert variants(rule, rule_of("win(?c) by hit(?c, ?p) is GI :- player(?c), open(?p), far(?p)."))


def test_it_is_queried_for_where_it_rests_on_no_action():
    rule = learned(HITS + AIMED, "player(x), open(a), far(b), aimed(x, b)").rule
    expected = "win(?c) by hit(?c, ?p) is GI :- player(?c), open(?p), target(?c, ?q), far(?q)."
    assert variants(rule, rule_of(expected))


def test_a_rule_that_was_right_is_refused_once_its_condition_rests_on_an_action():
    """The clauses that the proof names are unchanged.

    A fingerprint covers the integrity assumptions of the theory.
    """
    found = learned(HITS + AIMED, "player(x), open(a), far(b), aimed(x, b)")
    theory = theory_of(HITS + AIMED + AIMS.replace("aims", "aims_too"))
    for certificate in (
        found.certificate,
        certificate_of(found.rule, found.certificate.steps, theory, {}),
    ):
        with pytest.raises(RejectedError):
            verify(found.rule, certificate, theory)


def test_a_closed_set_rests_on_what_its_count_rests_on():
    """The members are given facts, but the count that closes the set depends on the taken action."""
    theory = theory_of(
        """
        sort side. sort box. sort thing. fluent holds(box, thing). fluent boxes(box -> int) counts holds.
        fluent heavy(thing). action open(box). derived full(box). game win(box).
        counted: before boxes(?b, 1) :- open(?b).
        full: full(?b) :- boxes(?b, _), all ?t in holds(?b, ?t): heavy(?t).
        wins: before win(?b) by open(?c) is GI :- open(?c), before full(?b).
        """
    )
    text = "win(?b) by open(?c) is GI :- holds(?b, ?t), holds(?c, _), all ?m in holds(?b, ?m): heavy(?m), boxes(?b, ?n)."
    plain = text.replace(", boxes(?b, ?n)", "")
    for rule in (rule_of(text), rule_of(plain)):
        steps = (step("full", "before", b="?b", _1="?n"), step("wins", None, b="?b", c="?c"))
        with pytest.raises(RejectedError, match="may rest on the action that is taken"):
            verify(rule, certificate_of(rule, steps, theory, {}), theory)
