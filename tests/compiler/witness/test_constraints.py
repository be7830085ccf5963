"""Tests of proved keys and counts of derived facts, against states and against edited theories."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from hornbook.compiler.witness.constraints import GIVEN, OBSERVED, OPEN, PROVED, constraints
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.load.loader import load_text
from hornbook.kb.lower.errors import KnowledgeBaseError
from oracles.proofs.learned_rules import theory_of

BOXES = """
sort box. sort place. action carry(box, place). action wait.
fluent in(box -> place). fluent holds(place, box). fluent boxes(place -> int) counts holds.
"""
CARRIED = "carried: after in(?b, ?p) :- carry(?b, ?p)."
STAYS = "stays: after in(?b, ?p) :- carry(?c, _), before in(?b, ?p), ?b != ?c."
WAITED = "waited: after in(?b, ?p) :- wait, before in(?b, ?p)."
REMOVED = "gone: after holds(?p, ?b) :- carry(?c, _), before holds(?p, ?b), ?b != ?c."
FEWER = "fewer: after boxes(?p, ?n) :- carry(?c, ?q), ?p != ?q, before holds(?p, ?c), before boxes(?p, ?m), ?n = ?m - 1."
COME = "come: after holds(?p, ?c) :- carry(?c, ?p)."
MORE = "more: after boxes(?p, ?n) :- carry(_, ?p), before boxes(?p, ?m), ?n = ?m + 1."
SUM = "total: after boxes(?p, ?n) :- carry(?c, _), before boxes(?p, _), ?n = count ?b in before holds(?p, ?b) but ?c."
TAGGED = "sort tag = int. fluent no(box -> tag)."
UP = "up: after no(?b, ?n) :- wait, before no(?b, ?m), ?n = ?m + 1."

KEYS = {
    "what is carried, and the others": (CARRIED + STAYS, PROVED),
    "what nothing concludes is never two things": ("", PROVED),
    "an action of another kind comes not with this one": (CARRIED + STAYS + WAITED, PROVED),
    "the box that is carried stays too": (CARRIED + STAYS.replace(", ?b != ?c", ""), OPEN),
    "one rule with two places for a box": (
        "put: after in(?b, ?p) :- carry(?b, _), before holds(?p, ?b).",
        OPEN,
    ),
    "one place by a key of what is given": ("put: after in(?b, ?p) :- wait, before in(?b, ?p).", PROVED),
    "the same value by a sum": (
        TAGGED + UP + UP.replace("up", "too").replace("?m + 1", "1 + ?m"),
        PROVED,
    ),
}


@pytest.mark.parametrize("case", KEYS)
def test_a_key_after_an_action_is_proved_of_the_rules_that_conclude_it(case: str) -> None:
    rules, expected = KEYS[case]
    theory = theory_of(BOXES + rules)
    name = "no" if "fluent no" in rules else "in"
    known = constraints(theory)
    assert known.keys[name, "before"] == GIVEN
    assert known.keys[name, "after"] == expected
    assert ((name, "after") in known.reached.keys) == (expected == PROVED)


COUNTS = {
    "fewer where one is gone": (REMOVED + FEWER, PROVED),
    "as many as are counted": (REMOVED + SUM, PROVED),
    "one more where one comes": (REMOVED + COME + MORE, PROVED),
    "one comes that is not counted": (REMOVED + COME + FEWER.replace("?p != ?q, ", ""), OPEN),
    "one fewer, though none is known to go": (REMOVED + FEWER.replace(" before holds(?p, ?c),", ""), OPEN),
    "the one that goes is not left out": (REMOVED.replace(", ?b != ?c", "") + FEWER, OPEN),
    "no count is concluded": (REMOVED + COME, PROVED),
}


@pytest.mark.parametrize("case", COUNTS)
def test_a_count_after_an_action_is_proved_where_all_members_are_of_smaller_sets(case: str) -> None:
    rules, expected = COUNTS[case]
    assert constraints(theory_of(BOXES + rules)).counts["holds", "after"] == expected


def test_a_set_that_never_changes_is_not_closed_by_a_count_that_does() -> None:
    """The language rejects such a declaration, but the proofs do not rely on that."""
    theory = theory_of("sort s. static m(s, s). static n(s -> int) counts m.")
    words = theory.vocabulary.predicates
    assert constraints(theory).counts == {("m", None): GIVEN}
    changing = {**words, "n": replace(words["n"], kind="fluent")}
    mixed = replace(theory, vocabulary=replace(theory.vocabulary, predicates=changing))
    assert constraints(mixed).counts == {("m", None): OPEN}
    assert not constraints(mixed).given.closed


WILD = """
sort s. fluent m(s, s). fluent n(s -> int) counts m. fluent f(s -> s). fluent g(s, s). action act(s). fluent q(s -> s).
"""


@pytest.mark.parametrize("inside", ["f(?y, _)", "g(?y, _)", "(before f(?y, _), before g(?y, _))"])
def test_what_one_member_has_for_a_wildcard_is_not_what_another_has(inside: str) -> None:
    inside = inside if inside.startswith("(") else f"before {inside}"
    rule = f"""q: after q(?x, ?v) :-
        act(?x), before n(?x, _), all ?y in before m(?x, ?y): {inside}, before m(?x, ?a), before f(?a, ?v)."""
    assert constraints(theory_of(WILD + rule)).keys["q", "after"] == OPEN


def test_what_each_member_has_of_the_rules_own_things_is_known() -> None:
    rule = """q: after q(?x, ?v) :-
        act(?x), before n(?x, _), before g(?x, ?v), all ?y in before m(?x, ?y): before f(?y, ?v), before m(?x, _)."""
    assert constraints(theory_of(WILD + rule)).keys["q", "after"] == PROVED


def test_a_key_of_what_is_derived_is_no_promise_of_what_is_given() -> None:
    declared = "sort s. fluent a(s, s). fluent k(s -> s). derived d(s -> s)."
    assert constraints(theory_of(declared + "one: d(?x, ?y) :- a(?x, ?y).")).keys["d", "before"] == OPEN
    assert constraints(theory_of(declared + "one: d(?x, ?y) :- k(?x, ?y).")).keys["d", "before"] == PROVED
    two = declared + "one: d(?x, ?y) :- k(?x, ?y). two: d(?x, ?x) :- a(?x, _)."
    assert constraints(theory_of(two)).keys["d", "before"] == OPEN
    given_too = "sort s. fluent a(s, s). fluent k(s -> s). one: k(?x, ?x) :- a(?x, _)."
    assert constraints(theory_of(given_too)).keys["k", "before"] == OPEN


def test_proofs_by_keys_that_do_not_hold_fall_with_them() -> None:
    """Two keys may be proved from each other only if neither has an independent way to fail."""
    circle = """
        sort s. fluent a(s, s). action act(s). fluent p(s -> s). fluent q(s -> s).
        pp: after p(?x, ?y) :- after q(?x, ?y).
        qq: after q(?x, ?y) :- after p(?x, ?y), act(_).
    """
    assert constraints(theory_of(circle)).keys["p", "after"] == PROVED
    broken = circle + "aa: after q(?x, ?y) :- act(?x), before a(?x, ?y)."
    assert {constraints(theory_of(broken)).keys[name, "after"] for name in "pq"} == {OPEN}


def test_what_holds_of_given_states_only_is_not_reported_of_what_is_reached() -> None:
    theory = theory_of(
        """
        sort s. action act(s). fluent a(s -> s). fluent b(s -> s).
        ab: after b(?x, ?y) :- act(_), before a(?x, ?y).
        aa: after a(?x, ?y) :- act(?y), before b(?x, _).
        also: after a(?x, ?x) :- act(_), before b(?x, _).
        """
    )
    known = constraints(theory)
    assert ("b", "after") in known.given.keys
    assert ("b", "after") not in known.reached.keys
    assert ("a", "after") not in known.given.keys


def test_what_is_observed_holds_as_it_holds_of_given_states() -> None:
    observed = "sort s. fluent a(s, s). fluent k(s -> s) observed. action act(s). kk: after k(?x, ?y) :- act(_), before a(?x, ?y)."
    known = constraints(theory_of(observed))
    assert known.keys["k", "after"] == OBSERVED
    assert ("k", "after") in known.reached.keys
    # For a derived predicate this holds only if its key is proved for the state.
    derived = observed.replace("fluent k", "derived k") + "now: k(?x, ?y) :- a(?x, ?y)."
    assert constraints(theory_of(derived)).keys["k", "after"] == OPEN


@pytest.mark.parametrize(
    "rules",
    [CARRIED + STAYS, CARRIED + STAYS.replace(", ?b != ?c", ""), REMOVED + COME + MORE, REMOVED + SUM],
)
def test_no_small_state_breaks_what_is_proved(rules: str) -> None:
    """The test tries all states of two boxes and two places, and all actions.

    If all keys and counts are proved, the knowledge base accepts every state.
    """
    theory = load_text(f"theory boxes.{BOXES}{rules}")
    known = constraints(theory)
    proved = OPEN not in {*known.keys.values(), *known.counts.values()}
    boxes, places = ("a", "b"), ("p", "q")
    refused = 0
    for where in product(("p", "q", ""), repeat=2):
        base = KnowledgeBase(theory)
        base.add([GroundFact("in", (b, p)) for b, p in zip(boxes, where, strict=True) if p])
        base.add([GroundFact("holds", (p, b)) for b, p in zip(boxes, where, strict=True) if p])
        base.add([GroundFact("boxes", (p, where.count(p))) for p in places])
        for box, place in product(boxes, places):
            base.push()
            try:
                base.add([GroundFact("carry", (box, place))])
            except KnowledgeBaseError:
                refused += 1
            base.pop()
    assert (refused == 0) == proved
