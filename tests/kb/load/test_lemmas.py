"""Tests of lemmas: they are used where the caller states that they are proved, each in its place."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hornbook.kb.load import lemmas
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


@pytest.fixture
def queried(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(lemmas, "_judges", [])
    return lemmas.register_judge


def test_without_anybody_to_ask_no_lemma_is_used(queried):
    theory = load_text(TEXT)
    assert (names(theory.rules), names(theory.lemmas)) == (["b", "c"], ["odd", "even"])


def test_what_is_proved_stands_in_its_place_as_it_is_to_be_used(queried):
    seen = []

    def judge(theory):
        seen.append(theory)
        return {rule.name: replace(rule, of_given=True) for rule in theory.lemmas if rule.name == "even"}

    queried(judge)
    theory = load_text(TEXT)
    assert (names(theory.rules), names(theory.lemmas)) == (["b", "even", "c"], ["odd"])
    assert [rule.of_given for rule in theory.rules] == [False, True, False]
    assert names(theory.facts and [theory.rules[0]]) == ["b"]
    assert (names(seen[0].rules), names(seen[0].lemmas)) == (["b", "c"], ["odd", "even"])
    assert names(theory.without_lemmas().rules) == ["b", "c"]


def test_who_is_queried_last_is_queried_only_and_nobody_of_theories_without_lemmas(queried):
    queried(lambda _: pytest.fail("asked no more"))
    queried(lambda _: {})
    assert names(load_text(TEXT).lemmas) == ["odd", "even"]
    queried(lambda _: pytest.fail("there are no lemmas"))
    load_text(TEXT.replace("lemma ", ""))
