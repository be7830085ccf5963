"""Tests of the enumeration of all proofs of a goal: no duplicate, no cycle, and no proof is missing."""

from __future__ import annotations

from collections import deque

import pytest

from hornbook.compiler.generalise import explanation
from hornbook.compiler.learn.learner import ProvedExample, explanation_of, learn, learn_best, proofs, solve
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.base.theory_engine import NotDerivedError
from hornbook.kb.load.loader import load_text

ROUND = """
theory round.
static p. static q. static p2. static a. static b. static c. static d.
a_from_p: a :- p.
b_from_a: b :- a.
a_from_b: a :- b.
b_from_c: b :- c.
c_from_d: c :- d.
d_from_q: d :- q.
d_from_all: d :- b, a, p2.
p. q. p2.
"""


def rules_of(text: str, goal: str, limit: int) -> list[list[str]]:
    base = KnowledgeBase(load_text(text), derivations="all")
    return [sorted(n.rule.name for n in e.nodes if n.rule) for e in proofs(base, goal, limit)]


def test_a_proof_behind_a_circle_is_found():
    found = rules_of(ROUND, "a", 10)
    assert found == [["a_from_p"], ["a_from_b", "b_from_c", "c_from_d", "d_from_q"]]


def test_the_limit_is_stored():
    assert len(rules_of(ROUND, "a", 1)) == 1
    assert rules_of(ROUND, "p", 5) == [[]]


def test_the_most_general_rule_of_several_proofs_stays():
    theory = load_text(
        "theory t. sort s. static big(s). static red(s). static round(s). static ball(s)."
        "any_red: ball(?x) :- red(?x). red_and_round: ball(?x) :- round(?x), red(?x), big(?x)."
        "big(x). red(x). round(x)."
    )
    base = solve(theory, [], all_proofs=True).base
    found = list(proofs(base, "ball(x)", 10))
    assert len(found) == 2
    for order in (found, found[::-1]):
        best = learn_best(order, theory)
        assert isinstance(best, ProvedExample)
        assert str(best).startswith("learned:\n  ball(?x) :- red(?x).\ncertificate ")


def test_what_does_not_hold_has_no_proof():
    base = KnowledgeBase(load_text("theory t. sort s. static p(s). static q(s). up: q(?x) :- p(?x). p(a)."))
    with pytest.raises(NotDerivedError, match=r"`q\(b\)` is not derived"):
        explanation_of(base, "q(b)")
    with pytest.raises(NotDerivedError, match="has variables"):
        explanation_of(base, "q(?x)")
    with pytest.raises(ValueError, match="no proof to learn from"):
        learn_best([], base.theory)
    refused = learn(explanation_of(base, "p(a)"), base.theory)
    assert str(refused) == (
        "no rule for `p(a)`: `p(a)` is given, so there is nothing to learn; expect a conclusion of rules from it"
    )


def test_no_more_choices_of_derivations_are_stored_than_are_looked_at(monkeypatch):
    longest = 0

    class Counting(deque[object]):
        def append(self, each: object) -> None:
            nonlocal longest
            super().append(each)
            longest = max(longest, len(self))

    monkeypatch.setattr(explanation, "deque", Counting)
    rules = " ".join(f"r{n}_{m}: p{n} :- q{m}." for n in range(12) for m in range(12))
    every = " ".join(f"static p{n}. static q{n}. q{n}." for n in range(12))
    text = f"theory wide. {every} static goal. {rules} all: goal :- {', '.join(f'p{n}' for n in range(12))}."
    base = KnowledgeBase(load_text(text), derivations="all")
    assert len(list(proofs(base, "goal", 2))) == 2
    assert 0 < longest <= 2 * explanation.TRIES
