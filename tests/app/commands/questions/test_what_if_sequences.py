"""`what-if` with sequences of actions: the changes by each action, and the search for a shortest sequence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

CARRYING = """
theory carrying.
sort thing.
sort place.
static beside(place, place).
fluent at(thing -> place).
fluent open(place).
action carry(thing, place).
action unlock(place).
derived near(thing, thing).
beside(yard, hall).
beside(hall, loft).
at(box, yard).
at(lamp, loft).
open(hall).
together: near(?t, ?u) :- at(?t, ?p), at(?u, ?p), ?t != ?u.
carried: after at(?t, ?p) :- carry(?t, ?p), before at(?t, ?q), beside(?q, ?p), before open(?p).
unlocked: after open(?p) :- unlock(?p).
persists at(?t, _) unless carry(?t, _).
persists open(_).
"""


@pytest.fixture(autouse=True)
def files(folder):
    Path("carrying.horn").write_text(CARRYING)


def answered(run, *arguments: str) -> str:
    code, out, err = run("what-if", "carrying.horn", *arguments)
    assert (code, err) == (0, "")
    return out


FIRST = """\
1. carry(box, hall)
   change   before         after
   changed  at(box, yard)  at(box, hall)
2. unlock(loft)
   change  before  after
   added           open(loft)
3. carry(box, loft)
   change   before         after
   changed  at(box, hall)  at(box, loft)
   of the state after:
     after near(box, lamp)
     after near(lamp, box)
"""


def test_a_sequence_shows_what_each_action_changes(run):
    sequence = "carry(box, hall) then unlock(loft) then carry(box, loft)"
    assert answered(run, sequence) == FIRST
    assert answered(run, f"{sequence}: after near(?t, _)") == f"{FIRST}?t\nbox\nlamp\n"


def test_facts_may_precede_the_first_action(run):
    out = answered(
        run, "absent open(hall), open(loft), carry(lamp, hall) then carry(box, hall): after open(?p)"
    )
    assert out.endswith("?p\nloft\n")


def test_a_shortest_sequence_is_found(run):
    out = answered(run, "after near(box, lamp)", "--steps", "5")
    lines = [line for line in out.splitlines() if not line.startswith(" ")]
    assert lines[-2] == "yes"
    assert lines[-1].startswith("3 actions (")
    assert {line[3:] for line in lines[:-2]} == {"carry(box, hall)", "unlock(loft)", "carry(box, loft)"}


def test_a_found_sequence_as_json(run):
    found = json.loads(answered(run, "after near(box, ?x)", "--steps", "5", "--json"))
    assert [step["action"] for step in found["sequence"]][-1] == "carry(box, loft)"
    assert found["sequence"][-1]["changes"] == [
        {"change": "changed", "before": "at(box, hall)", "after": "at(box, loft)"}
    ]
    assert found["answers"] == [{"x": "lamp"}]
    assert not found["exhausted"]


def test_only_actions_of_a_form_are_tried(run):
    out = answered(run, "carry(?t, ?p): after near(box, lamp)", "--steps", "9")
    assert out.startswith("no sequence of actions makes it true (")
    assert out.endswith(": all that can be reached)\n")


def test_facts_may_be_assumed_for_the_search(run):
    out = answered(run, "open(loft): after near(box, lamp)", "--steps", "2", "--with", "beside(loft, hall)")
    assert "\n2 actions (" in out


def test_no_action_is_needed(run):
    assert answered(run, "after at(box, yard)", "--steps", "2") == "it holds without an action\nyes\n"


def test_shorter_sequences_than_needed(run):
    assert answered(run, "after near(box, lamp)", "--steps", "2").startswith(
        "no sequence of at most 2 actions makes it true ("
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("at(box, hall)", "--steps", "2"), "a sequence of actions needs a query with `after`"),
        (("open(loft) then carry(box, loft)",), "expected one action between `then`"),
        (("carry(box, hall) then at(box, loft)",), "expected one action between `then`"),
        (("carry(box, hall) then carry(?t, loft)",), "a fact cannot hold the variable `?t`"),
        (("after near(box, lamp)", "--steps", "9", "--max-facts", "3"), "more than 3 facts"),
    ],
)
def test_mistakes(run, arguments, message):
    code, out, err = run("what-if", "carrying.horn", *arguments)
    assert (code, out) == (1, "")
    assert message in err
