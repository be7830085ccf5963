"""Tests of the theory of captures against the board.

Conclusions about positions and moves are never false, and injected faults are detected.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import Atom, GameStatement
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.parse.syntax import parse_query
from hornbook.theories.go.states.board import Colour, GoBoard
from oracles.go.capture_run import CAPTURE, CaptureTally, dented, run, unknown_predicates
from oracles.go.capture_truth import CaptureTruth, UnknownPredicateError

THEORY = load(CAPTURE)
DERIVED = [p.name for p in THEORY.vocabulary.predicates.values() if p.kind == "derived"]
OWN = [
    rule.name for rule in THEORY.rules if rule.span.file.endswith(CAPTURE.name) and rule.head.tense == "after"
]
FOLLOWED = {rule.head.relation for rule in THEORY.rules if rule.head.tense == "after"}
"""The relations that the theory concludes by transition rules."""


@cache
def tally(seed: str, positions: int) -> CaptureTally:
    return run(KnowledgeBase(THEORY, derivations="one"), seed, positions)


def test_every_predicate_has_a_meaning_on_the_board():
    assert unknown_predicates(THEORY) == []


@pytest.mark.deep
@pytest.mark.parametrize("seed", ["one", "two"])
def test_nothing_false_is_derived_of_a_position_or_after_an_action(seed):
    assert tally(seed, 40).false[:3] == []


@pytest.mark.deep
def test_the_sample_has_every_kind_of_action_and_of_statement():
    found, derived = tally("one", 40), tally("one", 40).derived + tally("two", 40).derived
    assert min(found.actions[kind] for kind in ("quiet move", "capture", "illegal move", "pass")) > 10
    assert [name for name in DERIVED if not found.derived[name, "before"]] == []
    assert [name for name in FOLLOWED if not derived[name, "after"]] == []
    assert found.derived["take by move is", "before"] > 20
    assert found.derived["take is", "after"] > 5


@pytest.mark.deep
def test_most_transition_rules_are_reasons_in_the_sample():
    fired = tally("one", 40).firings + tally("two", 40).firings
    silent = [name for name in OWN if not fired[name]]
    assert len(silent) < len(OWN) / 4, silent


FAULTS = [
    ("other_walls_but_those_beside", "all ?l in before liberty(?b, ?l): ?l != ?p", 34),
    ("other_walls_of_a_block_that_extends", "before only(?p, ?b)", 24),
    ("guards_but_those_beside", "before guard(?p, ?c, ?j)", 6),
    ("as_strong_apart", "all ?x in before beside(?q, empty, ?x): ?x != ?p", 13),
    ("other_walls_lose_one", "all ?l in before liberty(?b, ?l): ?l != ?r", 13),
    ("one_block_extends", "before only(?p, ?b)", 3),
    ("the_defenders_block_keeps_its_liberties", "before firm(?b, 2)", 6),
    ("guards_as_strong_as_the_move", "before strong(?c, ?p, ?k)", 7),
    ("strong_by_taking", "liberties(?s, 1)", 0),
    ("strong_by_taking", "ko(?c, ?p, free)", 131),
    ("strong_by_taking_and_joining", "liberties(?s, 1)", 1),
    ("spared_by_a_move_apart", "all ?x in beside(?q, empty, ?x): ?x != ?p", 4),
    ("guards_but_a_weak_one_that_the_move_leaves_strong", "before spared(?q, ?c, ?p, ?k)", 3),
    ("one_empty_point_less", "before unharmed(?q, ?p, ?d)", 61),
    ("no_other_block_beside", "all ?x in before beside(?q, empty, ?x): ?x != ?r", 20),
]
"""A rule, one of its conditions, and a random position that detects the removal of the condition.

If the position no longer does so after a change of the theory, others are tried.
"""


@pytest.mark.deep
@pytest.mark.parametrize(("label", "condition", "position"), FAULTS)
def test_a_condition_less_is_found_out(label, condition, position):
    base = KnowledgeBase(dented(THEORY, label, condition), derivations="one")
    assert any(run(base, f"{label} {number}", 1).false for number in (position, *range(100)))


# Tests of the reference used against the theory


def board(black: str, white: str) -> GoBoard:
    """Return a 5×5 board with stones on the given points."""
    empty = GoBoard(5, 5, ("empty",) * 25)
    colours: list[Colour] = ["empty"] * 25
    for name in black.split():
        colours[empty.point(name)] = "black"
    for name in white.split():
        colours[empty.point(name)] = "white"
    return replace(empty, colours=tuple(colours))


ON_THE_EDGE = board("b2 c2 d2", "c1")
TWO_STONES = board("b2 c2 d2", "c1 e1")
IN_ATARI = board("b1 b2 c2 d2", "c1")


@pytest.mark.parametrize(
    ("stones", "true", "false"),
    [
        (ON_THE_EDGE, "firm(c1, 7)", "firm(c1, 8)"),
        (ON_THE_EDGE, "firm_unless(c1, b1, 8)", "firm_unless(c1, a1, 8)"),
        (ON_THE_EDGE, "guard(b1, black, 7)", "guard(b1, black, 8)"),
        (ON_THE_EDGE, "guard(b1, white, 2)", "guard(b1, white, 3)"),
        (ON_THE_EDGE, "guard_unless(b1, black, e2, 8)", "guard_unless(b1, black, e1, 8)"),
        (ON_THE_EDGE, "strong_with(b1, c1, 2)", "strong_with(b1, c1, 3)"),
        (ON_THE_EDGE, "strong(black, b1, 7)", "strong(black, b1, 8)"),
        (TWO_STONES, "strong_with_two(d1, c1, e1, 2)", "strong_with_two(d1, c1, e1, 3)"),
        (TWO_STONES, "pair(d1, c1, e1)", "pair(d1, c1, c1)"),
        (ON_THE_EDGE, "only(d1, c1)", "only(c1, c1)"),
        (TWO_STONES, "only(d1, d2)", "only(d1, c1)"),
        (IN_ATARI, "unharmed(c2, e1, white)", "unharmed(c2, d1, white)"),
        (IN_ATARI, "airless(white, c1)", "airless(black, c1)"),
        (IN_ATARI, "playable(white, d1)", "playable(white, c1)"),
        (IN_ATARI, "strong(black, d1, 8)", "strong(black, d1, 9)"),
        (TWO_STONES, "spared(c3, black, b1, 8)", "spared(c3, black, c4, 9)"),
        (board("a2 b1", ""), "illegal(white, a1)", "illegal(black, a1)"),
        (board("a2 b1", ""), "legal(black, a1)", "legal(white, a1)"),
        (IN_ATARI, "take(c1) is GI", "take(b2) is GI"),
        (IN_ATARI, "take(c1) by move(black, d1) is GI", "take(c1) by move(white, d1) is GI"),
        (IN_ATARI, "liberties(c1, 1)", "liberties(c1, 2)"),
    ],
)
def test_a_statement_is_true_on_one_board_and_another_is_not(stones, true, false):
    reported = []
    for text in (true, false):
        (statement,) = parse_query(text).conditions
        assert isinstance(statement, Atom | GameStatement)
        reported.append(CaptureTruth(stones).holds(statement))
    assert reported == [True, False]


def test_a_predicate_without_a_meaning_is_named():
    (statement,) = parse_query("shape(a1)").conditions
    assert isinstance(statement, Atom)
    with pytest.raises(UnknownPredicateError, match=r"`shape` has no meaning in .*capture_truth"):
        CaptureTruth(ON_THE_EDGE).holds(statement)
