"""Tests of generalisation: closed sets, counts, keys, moments and shared sub-proofs."""

from __future__ import annotations

from pathlib import Path

import pytest

from hornbook.compiler.checker.checker import verify
from hornbook.compiler.generalise.generalisation import MAX_USES, NotOperationalError, generalise
from hornbook.compiler.learn.learner import ProvedExample, RefusedProof, explanation_of, learn, solve
from hornbook.compiler.refute.countermodel import find
from hornbook.compiler.rules.subsumption import variants
from hornbook.kb.ast.theory import Theory
from hornbook.kb.base.examples import example_facts
from hornbook.kb.format.printer import print_rule
from oracles.proofs.learned_rules import rule_of, theory_of

GO = (Path(__file__).parent / "data" / "generalisation_go.txt").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def go():
    return theory_of(GO)


def learned(theory: Theory, goal: str) -> ProvedExample:
    base = solve(theory, example_facts(theory, theory.examples[0])).base
    outcome = learn(explanation_of(base, goal), theory, "learned")
    assert isinstance(outcome, ProvedExample), outcome
    verify(outcome.rule, outcome.certificate, theory)
    assert find(outcome.rule, theory, tries=200) is None
    return outcome


CASES = {
    "a closed condition on given facts stays as it is": (
        "calm(p1)",
        "calm(?p) :- nears(?p, _), all ?q in near(?p, ?q): (colour(?q, ?c), ?c != white).",
    ),
    "a closed condition on derived facts is written member by member": (
        "before good(a)",
        (
            "good(?b) :- liberties(?b, 2), liberty(?b, ?x), colour(?x, empty), edge(?x),"
            " liberty(?b, ?y), colour(?y, empty), edge(?y), ?x != ?y."
        ),
    ),
    "a tensed closed condition keeps its moment": (
        "after safe(b)",
        "after safe(?b) :- move(_, _), before liberties(?b, ?n), ?n > 0, all ?l in before liberty(?b, ?l): edge(?l).",
    ),
    "a closed condition on what never changes stays": (
        "bare(p1)",
        "bare(?p) :- nears(?p, _), all ?q in near(?p, ?q): edge(?q).",
    ),
    "a count over given sets stays": (
        "before joint(a, b, 3)",
        (
            "joint(?a, ?b, ?n) :- liberties(?a, _), liberties(?b, _),"
            " ?n = count ?l in (liberty(?a, ?l) or liberty(?b, ?l))."
        ),
    ),
    "what remains after the action is regressed member by member": (
        "after good(a)",
        (
            "after good(?b) :- move(_, ?p), before liberty(?b, ?p), before liberties(?b, 2), before liberty(?b, ?l),"
            " ?l != ?p, before colour(?l, empty), edge(?l)."
        ),
    ),
    "a game's action is in its head": (
        "keep(a) by move(black, p3) is GI",
        (
            "keep(?b) by move(?c, ?p) is GI :- player(?c), liberty(?b, ?p), liberties(?b, 2), liberty(?b, ?l), ?l != ?p,"
            " colour(?l, empty), edge(?l)."
        ),
    ),
    "a count over sets after the action is written member by member": (
        "after spare(a, p2, 0)",
        (
            "after spare(?b, ?l, 0) :- move(_, ?p), before liberty(?b, ?p), before liberties(?b, 2),"
            " before liberty(?b, ?l), ?l != ?p, before colour(?l, empty), edge(?l)."
        ),
    ),
    "sets after the action may share members": (
        "after joint(a, b, 2)",
        (
            "after joint(?a, ?b, 2) :- move(_, ?p), before liberty(?a, ?p), before liberties(?a, 2),"
            " before liberty(?b, ?p), before liberties(?b, 2), before liberty(?a, ?l), ?l != ?p,"
            " before liberty(?b, ?k), ?k != ?p, ?l != ?k."
        ),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_rule_is_what_the_proof_says(go, case):
    goal, expected = CASES[case]
    found = learned(go, goal)
    assert variants(found.rule, rule_of(expected)), print_rule(found.rule)


def test_an_action_that_nothing_says_of_gives_no_rule():
    """The rule would advise every possible move."""
    theory = theory_of(
        """
        sort point. sort colour = black | white. fluent colour(point -> colour). action move(colour, point).
        game win(point).
        stays: after colour(?p, ?c) :- move(_, _), before colour(?p, ?c).
        win: before win(?p) by move(?c, ?q) is GI :- move(?c, ?q), after colour(?p, black).
        example case: colour(a, black), move(white, b).
        """
    )
    base = solve(theory, example_facts(theory, theory.examples[0])).base
    outcome = learn(explanation_of(base, "win(a) by move(white, b) is GI"), theory, "learned")
    assert isinstance(outcome, RefusedProof)
    assert "in the conclusion is bound by no positive condition" in outcome.reason


def test_one_value_of_one_key_is_one_variable():
    theory = theory_of(
        """
        sort s. sort colour = red | blue. fluent colour(s -> colour). fluent box(s -> s). derived one(s, colour).
        derived both(s). static liked(colour).
        one: one(?x, ?c) :- box(?x, ?y), colour(?y, ?c).
        both: both(?x) :- one(?x, ?c), box(?x, ?z), colour(?z, ?d), liked(?d), one(?z, ?e), liked(?e), ?c != ?e.
        example case: box(a, b), box(b, c), colour(b, red), colour(c, blue), liked(red), liked(blue).
        """
    )
    found = learned(theory, "both(a)")
    required = "both(?x) :- box(?x, ?y), colour(?y, ?c), liked(?c), box(?y, ?z), colour(?z, ?e), liked(?e), ?c != ?e."
    assert variants(found.rule, rule_of(required)), print_rule(found.rule)


def test_a_rule_from_timeless_rules_is_timeless_whenever_it_was_seen(go):
    found = learned(go, "after bare(p1)")
    assert variants(found.rule, rule_of("bare(?p) :- nears(?p, _), all ?q in near(?p, ?q): edge(?q)."))


def _doubling(levels: int, other: str) -> Theory:
    rules = [f"l{i + 1}: l{i + 1}(?x) :- l{i}(?x), l{i}({other}), near(?x, {other})." for i in range(levels)]
    declared = " ".join(f"derived l{i}(s)." for i in range(1, levels + 1))
    return theory_of(
        f"sort s. static near(s, s). fluent l0(s). {declared}\n" + "\n".join(rules)
        + "\nexample case: l0(a), near(a, a)."
    )  # fmt: skip


def test_a_shared_sub_proof_of_the_same_things_is_generalised_once():
    """A new proof for every use would give 2^40 proofs."""
    found = learned(_doubling(40, "?x"), "l40(a)")
    assert variants(found.rule, rule_of("l40(?x) :- l0(?x), near(?x, ?x)."))
    assert len(found.certificate.steps) == 40


def test_a_proof_with_too_many_uses_of_rules_gives_a_reason():
    """The uses may have different terms here, and each has its own conditions."""
    theory = _doubling(40, "?y")
    base = solve(theory, example_facts(theory, theory.examples[0])).base
    with pytest.raises(NotOperationalError, match=f"the proof uses more than {MAX_USES:,} rules"):
        generalise(explanation_of(base, "l40(a)"), theory.vocabulary)
