"""Tests that at most one action follows a state, whatever the source of its facts."""

from __future__ import annotations

import pytest

from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.load.loader import load_text
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.sources.diagnostics import TheoryError

HITS = """
theory hits.
sort point.
sort side.
fluent far(point).
fluent hurt(side, point).
action hit(side, point).
action rest.
after hurt(?c, ?p) :- hit(?c, ?p), before far(?q), ?p != ?q.
"""
A, B, REST = GroundFact("hit", ("x", "a")), GroundFact("hit", ("x", "b")), GroundFact("rest", ())


@pytest.fixture
def base():
    base = KnowledgeBase(load_text(HITS))
    base.add([GroundFact("far", ("c",)), A])
    return base


@pytest.mark.parametrize("second", [B, REST])
def test_a_second_action_is_refused_and_nothing_changes(base, second):
    expected = "two actions in one state.*ask what each does in a state of its own"
    before = list(base.facts())
    with pytest.raises(KnowledgeBaseError, match=expected):
        base.add([second])
    with pytest.raises(KnowledgeBaseError, match=expected):
        base.exchange([GroundFact("far", ("c",))], [second])
    with pytest.raises(KnowledgeBaseError, match=expected):
        base.add_text(f"{second.relation}{'(x, b)' if second.values else ''}.")
    assert list(base.facts()) == before


def test_two_actions_that_come_together_are_refused():
    with pytest.raises(KnowledgeBaseError, match=r"`hit\(x, a\)` and `hit\(x, b\)`"):
        KnowledgeBase(load_text(HITS)).add([A, B])


def test_the_second_of_two_actions_in_a_text_is_pointed_at():
    with pytest.raises(TheoryError, match=r"HB049(.|\n)*state.horn:2:1"):
        KnowledgeBase(load_text(HITS)).add_text("far(c). hit(x, a).\nhit(x, b).", "state.horn")


def test_one_action_may_take_the_place_of_another(base):
    base.exchange([A], [B])
    assert base.query("after hurt(x, ?p)").to_tuples() == [("b",)]
    base.exchange([B], [B])
    base.add([B])
    base.push()
    base.retract([B])
    base.add([A])
    assert base.query("after hurt(x, ?p)").to_tuples() == [("a",)]
    base.pop()
    assert base.query("after hurt(x, ?p)").to_tuples() == [("b",)]


def test_a_text_of_a_state_may_have_one_action():
    base = KnowledgeBase(load_text(HITS))
    base.add_text("far(c). hit(x, a). hit(x, a).")
    assert base.query("after hurt(x, a)")


def test_a_theory_states_no_action():
    with pytest.raises(TheoryError, match="HB049"):
        load_text(HITS + "hit(x, a).")
