"""Tests of lemmas: a loaded theory uses those that its judge accepts, each in its place."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hornbook.kb.load.loader import load_text

TEXT = """theory three.
sort thing.
static a(thing).
derived b(thing).
derived c(thing).
b: b(?x) :- a(?x).
lemma odd: c(?x) :- b(?x).
lemma even: c(?x) :- a(?x).
c: c(?x) :- b(?x), a(?x).
a(one).
"""


def names(rules):
    return [rule.name for rule in rules]


def test_without_a_judge_no_lemma_is_used():
    theory = load_text(TEXT)
    assert (names(theory.rules), names(theory.lemmas)) == (["b", "c"], ["odd", "even"])


def test_an_accepted_lemma_is_used_in_its_place():
    seen = []

    def judge(theory):
        seen.append(theory)
        return {rule.name: replace(rule, of_given=True) for rule in theory.lemmas if rule.name == "even"}

    theory = load_text(TEXT, judge=judge)
    assert (names(theory.rules), names(theory.lemmas)) == (["b", "even", "c"], ["odd"])
    assert [rule.of_given for rule in theory.rules] == [False, True, False]
    assert names(theory.facts and [theory.rules[0]]) == ["b"]
    assert (names(seen[0].rules), names(seen[0].lemmas)) == (["b", "c"], ["odd", "even"])
    assert names(theory.without_lemmas().rules) == ["b", "c"]


def test_a_judge_that_accepts_no_lemma_leaves_all_unused():
    assert names(load_text(TEXT, judge=lambda _: {}).lemmas) == ["odd", "even"]


def test_a_judge_is_not_called_for_a_theory_without_lemmas():
    load_text(TEXT.replace("lemma ", ""), judge=lambda _: pytest.fail("there are no lemmas"))
