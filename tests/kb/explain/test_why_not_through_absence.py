"""Tests of explanations for a missing fact whose rule needs an absent fact.

The explanation shows the fact that holds instead, and its proof.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.load.loader import load_text
from oracles.pages.engines import engines_with

FAMILY = (Path(__file__).parent / "data" / "why_not_through_absence_family.horn").read_text(encoding="utf-8")


@pytest.fixture(params=engines_with("derivations"))
def family(request, tmp_path):
    path = tmp_path / "family.horn"
    path.write_text(FAMILY)
    return KnowledgeBase(path, engine=request.param)


def below(text: str) -> list[str]:
    """Return the lines from the first failing condition on, without indent and path.

    The common indent and the path of the theory are removed.
    """
    lines = text.splitlines()
    first = next(i for i, line in enumerate(lines) if line.strip().startswith("fails:"))
    named = (line.removeprefix("    ").split(", /")[0] for line in lines[first:])
    return [re.sub(r"\[/.*/", "[", line) for line in named]


def test_what_should_be_absent_is_shown_with_its_proof(family):
    assert below(family.why_not("lonely(ann)", sets=0).to_text()) == [
        "fails: absent has_child(ann)",
        "  because: has_child(ann)  [one_child_is_enough",
        "    parent(ann, bob)  [family.horn:14]",
    ]


def test_an_absence_that_holds_is_a_reason_in_the_proof(family):
    assert below(family.why_not("quiet(bob)", sets=0).to_text())[2:] == [
        "    adult(bob)  [family.horn:14]",
        "    absent has_child(bob)  [holds]",
        "      nothing of has_child(bob) is known, but more of has_child may become known: parent is not declared complete  [family.horn:3]",
    ]


def test_all_facts_of_a_conjunction_are_shown_each_once_and_again_only_by_name(family):
    assert [line for line in below(family.why_not("alone(ann)").to_text()) if "because" in line] == [
        "  because: parent(ann, bob)  [family.horn:14]",
        "  because: has_child(ann)  [one_child_is_enough",
        "  because: has_child(ann)  [above]",
    ]


def test_the_depth_bounds_the_proofs(family):
    shown = family.why_not("lonely(ann)", depth=1, sets=0).to_text()
    assert "because: has_child(ann)" in shown
    assert "parent(ann, bob)" not in shown


def test_json_has_the_proof(family):
    (attempt,) = family.why_not("lonely(ann)").to_dict()["attempts"]
    (present,) = attempt["present"]
    assert present["fact"] == "has_child(ann)"
    assert [step["conclusion"] for step in present["proof"]["steps"]] == [
        "parent(ann, bob)",
        "has_child(ann)",
    ]


def test_what_holds_before_an_action_is_shown_as_such(tmp_path):
    path = tmp_path / "doors.horn"
    path.write_text(
        "theory doors. sort door. fluent open(door). action shut(door). meta closed(door).\n"
        "closed: after closed(?d) :- shut(?d), absent before open(?d).\n"
    )
    base = KnowledgeBase(path)
    base.add_text("open(front). shut(front).")
    assert "because: before open(front)  [given]" in base.why_not("after closed(front)").to_text()


RATES = """theory rates.
sort person.
sort percent = int.
static person(person) complete.
static child(person) complete.
static rich(person) complete.
derived rate(person -> percent).
ordinary: rate(?p, 20) :- person(?p).
reduced exception to ordinary: rate(?p, 5) :- child(?p).
not_rich exception to reduced: absent rate(?p, _) :- rich(?p).
person(bob). child(bob). person(cid). child(cid). rich(cid).
"""


@pytest.mark.parametrize("engine", engines_with("derivations"))
def test_the_exception_that_overruled_is_named_with_changes_that_would_suffice(engine):
    base = KnowledgeBase(load_text(RATES), engine=engine)
    text = base.why_not("rate(bob, 20)").to_text()
    assert "fails: absent reduced_applies(bob)" in text
    assert "because the exception reduced applies: reduced_applies(bob)" in text
    assert "remove child(bob)" in text
    assert "add rich(bob)" in text
    text = base.why_not("rate(cid, 5)").to_text()
    assert "because the exception not_rich applies: not_rich_applies(cid)" in text
    assert "remove rich(cid)" in text
