"""Tests of the audit of frames on a small theory: each change is compared with the claim of each frame."""

from __future__ import annotations

import pytest

from hornbook.kb.ast.terms import Atom, Rule
from hornbook.kb.base.frames import breaches
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.load.loader import load_text
from hornbook.kb.parse.facts import ground_fact
from hornbook.kb.parse.syntax import parse

STORE = """
theory store.
sort box.
sort place.
sort person.
fluent in(box -> place).
fluent beside(box, box).
fluent boxes(place -> int).
action carry(person, box, place).
action rest(person).
"""
STATE = "in(box_1, yard). in(box_2, hall). beside(box_1, box_1). beside(box_2, box_2). boxes(yard, 1). boxes(hall, 1)."
AFTER = "in(box_1, hall). in(box_2, hall). beside(box_1, box_1). beside(box_2, box_2). boxes(yard, 0). boxes(hall, 2)."


def facts(text: str) -> list:
    rules = [clause for clause in parse(text, "facts").clauses if isinstance(clause, Rule)]
    return [ground_fact(rule.head) for rule in rules if isinstance(rule.head, Atom)]


def found(frames: str, action: str = "carry(anna, box_1, hall).", after: str = AFTER) -> list[str]:
    """Return the facts whose change no frame allows."""
    base = KnowledgeBase(load_text(STORE + frames, "store.horn"))
    base.add(facts(STATE + action))
    return [f"{b.fact.relation}({', '.join(map(str, b.fact.values))})" for b in breaches(base, facts(after))]


def test_without_a_frame_everything_may_change():
    assert found("") == []


def test_a_frame_that_names_the_action_allows_the_change():
    assert found("frame in(?box, _): carry(_, ?box, _).") == []
    assert found("frame in(?box, ?place): carry(_, ?box, ?other), in(?box, ?from), ?place = ?from;"
                 " carry(_, ?box, ?place).") == []  # fmt: skip


def test_a_frame_that_is_too_small_is_caught_with_what_changed():
    # The fact that ended and the fact that began.
    assert found("frame in(?box, _): rest(_), in(?box, _).") == ["in(box_1, hall)", "in(box_1, yard)"]
    assert found("frame in(?box, ?place): carry(_, ?box, ?place).") == ["in(box_1, yard)"]


def test_conditions_are_read_in_the_state_where_the_action_is_taken():
    assert found("frame in(?box, _): carry(_, ?box, _), in(?box, yard).") == []
    assert found("frame in(?box, _): carry(_, ?box, _), in(?box, hall).") == [
        "in(box_1, hall)",
        "in(box_1, yard)",
    ]


def test_a_frame_about_some_values_says_nothing_of_others():
    assert found("frame in(?box, yard): rest(_), in(?box, _).") == ["in(box_1, yard)"]
    assert found("frame boxes(attic, _): rest(_).") == []


def test_a_variable_that_stands_twice_makes_a_frame_about_equal_things():
    after = AFTER.replace("beside(box_1, box_1)", "beside(box_1, box_2)")
    assert found("frame beside(?box, ?box): rest(_), in(?box, _).", after=after) == ["beside(box_1, box_1)"]


def test_each_frame_of_a_fluent_is_a_claim_of_its_own():
    frames = "frame in(?box, _): carry(_, ?box, _).\nframe in(_, yard): rest(_)."
    assert found(frames) == ["in(box_1, yard)"]


def test_a_case_without_variables_of_the_fluent_allows_all_or_nothing():
    assert found("frame boxes(_, _): carry(_, _, _).") == []
    assert len(found("frame boxes(_, _): rest(_).")) == 4


@pytest.mark.parametrize("action", ["rest(anna).", "carry(anna, box_2, yard)."])
def test_the_action_that_is_taken_counts(action):
    assert found("frame in(?box, _): carry(_, ?box, _).", action) == ["in(box_1, hall)", "in(box_1, yard)"]


def test_what_is_reported_names_the_frame_and_the_fact():
    base = KnowledgeBase(load_text(STORE + "frame in(?box, _): rest(_), in(?box, _).", "store.horn"))
    base.add(facts(STATE + "carry(anna, box_1, hall)."))
    assert [str(breach) for breach in breaches(base, facts(AFTER))] == [
        "store.horn:11:7: the frame does not allow a change of `in(box_1, hall)`",
        "store.horn:11:7: the frame does not allow a change of `in(box_1, yard)`",
    ]
