"""Tests of contradictions in rules with `or`: a condition must contradict every alternative that has it."""

from __future__ import annotations

import pytest

from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.load.loader import load_text
from oracles.pages.checking import found

WORDS = (
    "theory t.\nsort box.\nstatic size(box -> int).\nstatic red(box).\nstatic old(box).\nderived good(box).\n"
)


@pytest.mark.parametrize(
    "body",
    [
        "(size(?x, 1) or red(?x)), (size(?x, 2) or old(?x))",
        "size(?x, ?n), (?n = 1 or red(?x)), (?n = 2 or old(?x))",
        "size(?x, ?n), size(?y, ?m), (?n < ?m or red(?y)), (?n > ?m or old(?y))",
        "size(?x, ?n), size(?y, ?m), (?n < ?m or red(?y)), (?m < ?n - 1 or old(?y))",
    ],
)
def test_a_combination_of_alternatives_may_be_impossible(body):
    assert found(f"{WORDS}good(?x) :- {body}.") == []


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("red(?x), (size(?x, 1), size(?x, 2) or old(?x))", "HB043"),
        ("size(?x, 1), (size(?x, 2) or old(?x))", "HB043"),
        ("size(?x, ?n), ?n = 1, ?n = 2, (red(?x) or old(?x))", "HB043"),
        ("size(?x, ?n), size(?y, ?m), ?n < ?m, (?m < ?n - 1 or old(?y))", "HB066"),
    ],
)
def test_a_condition_that_contradicts_all_of_its_alternatives(body, code):
    assert found(f"{WORDS}good(?x) :- {body}.") == [(7, code)]


def test_the_possible_combinations_give_answers():
    rule = "good(?x) :- (size(?x, 1) or red(?x)), (size(?x, 2) or old(?x)).\n"
    facts = "size(a, 1). old(a). size(b, 2). red(b). size(c, 1). red(c).\n"
    assert set(KnowledgeBase(load_text(WORDS + rule + facts)).query("good(?x)")) == {("a",), ("b",)}
