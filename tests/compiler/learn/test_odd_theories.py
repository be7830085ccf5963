"""Tests of unusual but valid theories: the learner refuses them with a reason and never crashes."""

from __future__ import annotations

from random import Random

import pytest

from hornbook.compiler.checker.checker import Lemma, verify
from hornbook.compiler.learn.learner import ProvedExample, explanation_of, learn, solve
from hornbook.compiler.prove.eigenvariable import Eigenvariable
from hornbook.compiler.prove.winning import ProvedRule
from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.sources.diagnostics import TheoryError
from oracles.proofs.learned_rules import theory_of
from oracles.proofs.odd_plays import proved
from oracles.proofs.odd_theories import action, state, theory_text

WIN = Atom("win", ())
GAMES = (WIN, Atom("own", (Constant("left"),)))
DECLARED = """
sort thing. static spoken_of(thing).
fluent f(thing). fluent good. fluent n(thing -> thing). fluent k(thing -> int).
fluent m(thing, thing). fluent ms(thing -> int) counts m.
action act(thing). action rest. game win.
keeps: after good :- act(_), before good.
rests: after good :- rest, before good.
wins: after win is GI :- after good.
"""
FACTS = [
    GroundFact("good", ()), GroundFact("f", ("a",)), GroundFact("f", ("b",)), GroundFact("n", ("a", "b")),
    GroundFact("k", ("a", 1)), GroundFact("m", ("a", "a")), GroundFact("m", ("a", "b")), GroundFact("ms", ("a", 2)),
    GroundFact("spoken_of", ("a",)), GroundFact("spoken_of", ("b",)),
]  # fmt: skip


def learned_from(text: str) -> list[ProvedRule]:
    theory = theory_of(DECLARED + text)
    learned, refused = proved(theory, FACTS, WIN, [GroundFact("act", ("a",))])
    assert learned or refused
    check(learned, theory)
    return learned


def check(learned: list[ProvedRule], theory: Theory) -> None:
    lemmas: dict[str, Lemma] = {}
    for one in learned:
        verify(one.rule, one.certificate, theory, lemmas)
        lemmas[one.rule.name] = Lemma.of(one.rule, one.certificate)


@pytest.mark.parametrize(
    "text",
    [
        "replies win: act(?t), f(?u), ?u != ?t; rest.",
        "replies win: act(?t), f(?u), ?u != ?t.",
        "replies win: act(?t), n(?t, _); rest.",
        "replies win: act(?t), n(?t, _).",
        "replies win: act(?t), m(?t, ?t); rest.",
        "replies win: act(?t), m(?t, ?t).",
        "replies win: act(?t), m(?t, _); rest.",
        "replies win: act(?t), f(?t), ?t != ?u, n(?v, ?u); rest.",
        # A recursive fact is explained by given facts.
        "before f(?t) :- act(?t), before f(?t). replies win: act(?t), f(?t).",
        "win by act(?t) is GI :- f(?t), k(?t, ?n), ?n + 1 != 5. replies win: act(?t).",
        "replies win: act(?t), k(?t, ?n), ?n + 9223372036854775807 > 0; rest.",
        "",
    ],
)
def test_a_theory_is_learned_from_or_refused_with_a_reason(text):
    learned_from(text)


def test_two_rules_that_rest_on_each_other_are_explained_by_what_is_given():
    text = """
    derived p(thing). derived q(thing).
    p_by_q: p(?t) :- q(?t). q_by_p: q(?t) :- p(?t). p_by_f: p(?t) :- f(?t).
    wins_at_once: win by act(?t) is GI :- q(?t).
    """
    (learned,) = learned_from(text)
    assert [c.predicate for c in learned.rule.body if isinstance(c, Atom)] == ["f"]


@pytest.mark.parametrize("word", ["b", "any t", "any u"])
def test_what_a_thing_is_called_plays_no_part_in_a_proof(word):
    """Arbitrary objects in the proofs of replies are not words, though they are printed like words."""
    text = """
    fluent mark(thing).
    marked: after good :- act(?t), before mark(?s), ?t != ?s.
    own: after good :- act(?t), before mark(?t), before f(?t).
    replies win: act(?t); rest.
    """
    theory = theory_of(DECLARED.replace("keeps: after good :- act(_), before good.", "") + text)
    facts = [
        GroundFact("good", ()), GroundFact("f", (word,)), GroundFact("mark", (word,)), GroundFact("spoken_of", (word,))
    ]  # fmt: skip
    learned, refused = proved(theory, facts, WIN)
    check(learned, theory)
    assert {len(one.rule.body) for one in learned} == {3}, refused


def test_an_eigenvariable_is_no_word():
    one = Eigenvariable("any t")
    assert one == Eigenvariable("any t")
    assert one != "any t"
    assert Constant(one) != Constant("any t")
    assert {"any t": 1}.get(one) is None
    assert {one: 1}.get("any t") is None  # type: ignore[call-overload]


@pytest.mark.deep
@pytest.mark.parametrize("part", range(4))
def test_on_odd_theories_every_proof_is_a_rule_or_a_refusal(part):
    learned_rules = 0
    for seed in range(part * 60, (part + 1) * 60):
        random = Random(seed)
        try:
            theory = theory_of(theory_text(random))
        except TheoryError:
            continue
        facts, taken = state(random), action(random)
        for game in GAMES:
            learned, _ = proved(theory, facts, game, [taken])
            check(learned, theory)
            learned_rules += len(learned)
        try:
            solved = solve(theory, [*facts, taken], all_proofs=True)
        except KnowledgeBaseError:
            continue
        outcomes = [learn(explanation_of(solved.base, goal), theory) for goal in solved.goals[:4]]
        learned_rules += sum(isinstance(outcome, ProvedExample) for outcome in outcomes)
    assert learned_rules
