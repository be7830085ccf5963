"""Tests of the grounds of absences and aggregates.

Proofs and explanations of missing facts name the complete relations and their declarations.
"""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.explain.counted import MOST
from hornbook.kb.load.loader import load_text
from oracles.pages.engines import engines_with

CLUBS = (Path(__file__).parent / "data" / "grounds_clubs.horn").read_text(encoding="utf-8")


@pytest.fixture(params=engines_with("derivations"))
def clubs(request):
    base = KnowledgeBase(load_text(CLUBS, "clubs.horn"), engine=request.param)
    base.add_text("invite(cy).", "state.horn")
    return base


PROOFS = {
    "idle(cy)": """\
before idle(cy)  [in_no_club, clubs.horn:18]
  person(cy)  [clubs.horn:27]
  absent member(cy, _)  [holds]
    nothing of member(cy, _) is given, and member is complete  [clubs.horn:4]""",
    "after invited(cy)": """\
after invited(cy)  [inactive_ones, clubs.horn:23]
  invite(cy)  [given]
  absent before active(cy)  [holds]
    no rule concludes before active(cy), and active is complete before the action, since member is  [clubs.horn:4]""",
    "after invited(ann)": """\
after invited(ann)  [while_it_is_open, clubs.horn:25]
  invite(cy)  [given]
  absent before locked(hall)  [holds]
    nothing of before locked(hall) is given, and locked is complete before the action  [clubs.horn:7]""",
    "size(chess, ?n)": """\
before size(chess, 2)  [so_many, clubs.horn:20]
  member(bob, chess)  [clubs.horn:28]
  2 = count ?p where member(?p, chess)  [holds]
    member(ann, chess)  [clubs.horn:28]
    member(bob, chess)  [clubs.horn:28]
    member is complete  [clubs.horn:4]""",
    "due(?n)": """\
before due(7)  [what_is_due, clubs.horn:21]
  7 = sum ?k where paying(_, ?k)  [holds]
    before paying(ann, 3)  [who_pays, clubs.horn:19]
      member(ann, go)  [clubs.horn:28]
      pays(ann, 3)  [clubs.horn:28]
      3 > 0  [holds]
    before paying(bob, 4)  [who_pays, clubs.horn:19]
      member(bob, chess)  [clubs.horn:28]
      pays(bob, 4)  [clubs.horn:28]
      4 > 0  [holds]
    paying is complete before the action, since member and pays are  [clubs.horn:4, clubs.horn:5]""",
    "quiet(cy)": """\
quiet(cy)  [no_guest, clubs.horn:26]
  person(cy)  [clubs.horn:27]
  absent guest(cy, _)  [holds]
    nothing of guest(cy, _) is known, but guest is not declared complete  [clubs.horn:6]""",
}


def alike(text: str) -> list[str]:
    """Return the lines with equal text for the reason that depends on the engine.

    Engines may give different memberships as the reason.
    """
    reported = text.replace("member(ann, go)", "member(ann, …)").replace(
        "member(ann, chess)", "member(ann, …)"
    )
    return [line.rstrip() for line in reported.replace("member(bob, chess)", "member(ann, …)").splitlines()]


@pytest.mark.parametrize("goal", PROOFS)
def test_a_proof_says_on_what_an_absence_or_an_aggregate_rests(clubs, goal):
    assert alike(clubs.why(goal).to_text()) == alike(PROOFS[goal])


def test_each_relation_of_a_conjunction_is_reported_once():
    base = KnowledgeBase(load_text(CLUBS.replace("inactive_ones", "some_are"), "clubs.horn"))
    base.add_text("invite(dan). locked(hall).", "state.horn")
    base.add_text(
        "only_this: after invited(eve) :- invite(?p), absent (before paying(?p, ?n), member(?p, ?n2), ?n > 5, ?n2 = chess)."
    )
    (reason,) = (r for r in base.why("after invited(eve)").steps[-1].reasons if r.grounds)
    assert [(ground.relation, ground.is_complete, ground.says) for ground in reason.grounds] == [
        ("before paying", True, "paying is complete before the action, since member and pays are"),
        ("member", True, "member is complete"),
    ]


def test_an_aggregate_over_an_aggregate_shows_what_both_counted(clubs):
    text = clubs.why("biggest(?n)").to_text()
    for fact in ("size(chess, 2)", "size(go, 1)", "member(ann, go)", "member(bob, chess)"):
        assert fact in text


def test_every_shape_of_a_proof_says_it(clubs):
    proof = clubs.why("idle(cy)")
    says = "nothing of member(cy, _) is given, and member is complete"
    assert f"{says}  [clubs.horn:4]" in proof.to_html()
    drawn = [line.text for line in ET.fromstring(proof.to_svg()).iter("{http://www.w3.org/2000/svg}text")]
    assert says in drawn
    assert drawn[drawn.index(says) + 1] == "clubs.horn:4"
    assert f'label="{says}\\nclubs.horn:4"' in proof.to_dot()
    (reason,) = (r for r in json.loads(json.dumps(proof.to_dict()))["steps"][-1]["reasons"] if "grounds" in r)
    ground = {"relation": "member", "complete": True, "says": says, "declared": ["clubs.horn:4"]}
    assert reason == {"condition": "absent member(cy, _)", "steps": [], "grounds": [ground], "more": 0}


def test_of_very_many_facts_counted_the_proof_has_the_first_and_says_how_many_more_there_are():
    base = KnowledgeBase(load_text(CLUBS, "clubs.horn"))
    base.add([GroundFact("member", (f"p{i}", "bridge")) for i in range(MOST + 500)])
    proof = base.why("size(bridge, ?n)")
    counted = proof.steps[-1].reasons[-1]
    assert (len(counted.steps), counted.more) == (MOST, 500)
    assert f"… and {MOST + 500 - 40:,} facts more" in proof.to_text(1)
    assert "… and 500 facts more" in proof.to_text()
    assert "… and 500 facts more" in proof.to_html()


def test_why_not_says_what_can_never_hold_since_all_is_known(clubs):
    assert clubs.why_not("member(cy, ?c)", sets=0).to_text() == (
        "member(cy, ?c): it is not given, and no rule concludes it; member is complete  [clubs.horn:4]"
    )
    assert (
        clubs.why_not("guest(cy, ?c)", sets=0).to_text()
        == "guest(cy, ?c): it is not given, and no rule concludes it"
    )
    assert clubs.why_not("active(cy)", sets=0).to_text().splitlines()[-2:] == [
        "    fails: member(cy, _)",
        "      member is complete  [clubs.horn:4]",
    ]


def test_why_not_shows_what_an_aggregate_gives_instead(clubs):
    lines = clubs.why_not("size(chess, 3)", sets=0).to_text().splitlines()
    assert lines[-3:] == [
        "    fails: 3 = count ?p where member(?p, chess)",
        "      instead: 2 = count ?p where member(?p, chess)",
        "      member is complete  [clubs.horn:4]",
    ]


def test_an_exception_that_does_not_apply_is_named():
    base = KnowledgeBase(
        load_text(
            "theory rates. sort person. sort percent = int. static person(person). static child(person) complete.\n"
            "derived rate(person -> percent). static fixed(person -> percent).\n"
            "ordinary: rate(?p, 20) :- person(?p). reduced exception to ordinary: rate(?p, 5) :- child(?p).\n"
            "stated: fixed(?p, 9) :- person(?p). other exception to stated: fixed(?p, 1) :- child(?p).\n"
            "person(ann)."
        )
    )
    for query, label in (("rate(ann, ?r)", "reduced"), ("fixed(ann, ?r)", "other")):
        text = str(base.why(query))
        assert f"absent {label}_applies(ann)" in text
        assert f"the exception {label} does not apply, and {label}_applies is complete" in text
