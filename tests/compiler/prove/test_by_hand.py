"""Tests of hand-written rules: correct ones are proved without an example, and wrong ones are not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from hornbook.compiler.checker.certificate import Certificate, Split
from hornbook.compiler.checker.checker import Lemma, verify
from hornbook.compiler.checker.context import RejectedError
from hornbook.compiler.prove.by_hand import OpenError, prove
from hornbook.compiler.refute.countermodel import find
from hornbook.compiler.rules import rulebase
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import Theory
from hornbook.kb.load.loader import load_text
from hornbook.kb.parse.syntax import parse
from oracles.go.capture_lessons import THEORY, edge_learner

STOCK = (Path(__file__).parent / "data" / "by_hand_stock.horn").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def stock() -> Theory:
    return load_text(STOCK, "stock.horn")


def written(text: str) -> Rule:
    (rule,) = parse(text).clauses
    assert isinstance(rule, Rule)
    return rule


def proved(text: str, theory: Theory, lemmas: dict[str, Lemma] | None = None) -> Certificate:
    """Return the certificate of a rule, after the checker accepted it once more."""
    rule = written(text)
    found = prove(rule, theory, lemmas or {})
    verify(rule, found, theory, lemmas or {})
    return found


def test_a_rule_follows_by_steps_that_nobody_named(stock: Theory):
    found = proved(
        "r: before deliver(?x) by make(?x, ?k) is GI :- make(?x, ?k), before at_hand(?x, ?n),"
        " before wanted(?x, ?w), ?k >= 0, ?m = ?n + ?k, ?m >= ?w.",
        stock,
    )
    assert [step.rule for step in found.steps] == ["made", "so_many", "delivered"]
    assert found.rank == 1


def test_steps_of_which_nothing_rests_are_left_out(stock: Theory):
    found = proved(
        "r: enough(?x) :- at_hand(?x, ?n), wanted(?x, ?n), at_hand(?y, ?m), wanted(?y, ?m), boxes(?y, 1), box(?y, ?x).",
        stock,
    )
    assert len(found.steps) == 1


def test_an_all_follows_member_by_member(stock: Theory):
    found = proved(
        "r: whole(?x) :- boxes(?x, 1), box(?x, ?b), at_hand(?b, ?n), wanted(?b, ?w), ?n > ?w.", stock
    )
    assert [step.rule for step in found.steps] == ["as_there_are", "nothing_is_missing"]


def test_a_count_is_evaluated(stock: Theory):
    found = proved("r: many(?x, 2) :- boxes(?x, 2), box(?x, ?b), box(?x, ?c), ?b != ?c.", stock)
    assert [step.rule for step in found.steps] == ["all_boxes"]
    with pytest.raises(OpenError):
        # The two may be the same box.
        proved("r: many(?x, 2) :- boxes(?x, 2), box(?x, ?b), box(?x, ?c).", stock)


def test_no_rule_is_proved_by_itself(stock: Theory):
    rule = written("mine: whole(?x) :- at_hand(?x, ?n).")
    with pytest.raises(OpenError):
        prove(rule, stock, {"mine": Lemma(rule, 1)})


def test_it_is_reported_where_the_search_stopped(stock: Theory):
    with pytest.raises(OpenError, match="`delivered` lacks `after enough") as reported:
        proved("r: before deliver(?x) by make(?x, ?k) is GI :- make(?x, ?k), before at_hand(?x, ?n).", stock)
    assert "`so_many` lacks" in str(reported.value)


def test_what_is_wrong_is_not_proved(stock: Theory):
    rule = written("r: enough(?x) :- at_hand(?x, ?n), wanted(?x, ?w), ?n >= ?w - 1.")
    with pytest.raises(OpenError):
        prove(rule, stock, {})
    assert find(rule, stock) is not None


def test_what_contradicts_itself_is_refused(stock: Theory):
    with pytest.raises(RejectedError):
        proved("r: whole(?x) :- at_hand(?x, 1), at_hand(?x, 2).", stock)


# Against every reply


def test_the_replies_are_reported_apart_as_far_as_the_proof_asks():
    first, static, before = edge_learner().proved
    lemmas = {first.rule.name: Lemma.of(first.rule, first.certificate)}
    found = prove(static.rule, THEORY, lemmas)
    assert isinstance(found.replies[0], Split)
    assert found.open is not None
    # The certificate stores no step that no reply's proof uses.
    assert len(found.all_steps) <= len(static.certificate.all_steps)
    lemmas[static.rule.name] = Lemma.of(static.rule, found)
    assert prove(before.rule, THEORY, lemmas).lemmas == (static.rule.name,)


@pytest.mark.deep
def test_a_reply_that_is_open_is_named():
    _, static, _ = edge_learner().proved
    defended = [c for c in static.rule.body if getattr(c, "predicate", "") == "defender"]
    assert defended
    rule = replace(static.rule, body=tuple(c for c in static.rule.body if c not in defended))
    with pytest.raises(OpenError, match="against reply 1"):
        prove(rule, THEORY, {})


# Learned rules


def test_learned_rules_are_proved_again_without_their_examples():
    theory = load("firm")
    assert theory.path is not None
    base = rulebase.read(Path(theory.path).with_name("rules.horn"), theory, verify=False)
    for entry in Random(1).sample(list(base), 10):
        assert entry.certificate is not None
        found = prove(entry.rule, theory, {})
        assert len(found.all_steps) <= len(entry.certificate.all_steps)
