"""Tests of the theory of safety against the board.

Conclusions about positions and moves are never false, and no living stone is captured.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import islice, product
from pathlib import Path
from random import Random

import pytest

from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import Atom, Constant, GameStatement
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.format.printer import print_condition
from hornbook.theories.go import adapter
from hornbook.theories.go.play import eyes
from hornbook.theories.go.reader import CaptureSearch
from hornbook.theories.go.states.board import PLAYERS, BoardError, Colour, GoBoard
from oracles.go.capture_lessons import board
from oracles.go.capture_run import CaptureTally, dented, run, try_position, unknown_predicates
from oracles.go.eye_positions import about, shut_in
from oracles.go.plain_go import OTHER, play
from oracles.go.safety_truth import MEANINGS, SafetyTruth, alive

SAFETY = Path(adapter.__file__).parent / "safety" / "safety.horn"
THEORY = load(SAFETY)
OWN = [rule.name for rule in THEORY.rules if rule.span.file.endswith(SAFETY.name)]
EXISTING = Constant("IG")


@cache
def tally(seed: str, positions: int) -> CaptureTally:
    """Return the tally of random games and of `positions` boards on which eyes are made."""
    base, random = KnowledgeBase(THEORY, derivations="one"), Random(seed)
    found = run(base, seed, positions // 4, SafetyTruth)
    for _ in range(positions):
        state, point = shut_in(random)
        try_position(base, state, random, found, SafetyTruth, about(state, point))
    return found


def test_every_predicate_has_a_meaning_on_the_board():
    assert unknown_predicates(THEORY, frozenset(MEANINGS)) == []


def test_no_rule_has_the_name_of_one_in_another_part():
    """Certificates name the rules that they use, and are checked by the whole theory."""
    labels = Counter(rule.name for rule in load("go").rules)
    assert [label for label, times in labels.items() if times > 1] == []


@pytest.mark.deep
@pytest.mark.parametrize("seed", ["one", "two"])
def test_nothing_false_is_derived_of_a_position_or_after_an_action(seed):
    assert tally(seed, 30).false[:3] == []


@pytest.mark.deep
def test_the_sample_has_eyes_of_every_kind_and_moves_that_save():
    found = tally("one", 30).derived + tally("two", 30).derived
    fired = tally("one", 30).firings + tally("two", 30).firings
    assert min(found["alive", "before"], found["alive", "after"], found["save by move is", "before"]) > 3
    for kind in ("an_eye_of_one_point", "an_eye_of_two_points", "an_eye_with_stones", "illegal_in_an_eye"):
        assert fired[kind] > 5, kind


FAULTS = [
    ("illegal_in_an_eye", "?x != ?p", 3),
    ("girt_by_joining", "before reaches(?m, ?x, ?d)", 1),
    ("held_with_the_new_stone", "before reaches(?m, ?x, ?d)", 1),
    ("what_is_shut_in_keeps_its_liberties", "all ?l in before liberty(?w, ?l): ?l != ?m", 1),
    ("a_lone_stone_inside", "before besides(?m, ?c, 0)", 1),
    ("nothing_empty_is_beside_that", "before stones(?w, 1)", 8),
    ("as_many_of_a_colour_beside", "all ?x in before beside(?q, empty, ?x): ?x != ?m", 1),
]
"""A rule, one of its conditions, and a seed.

One of the first positions of the seed shows that the condition is needed.
"""


@pytest.mark.parametrize(("label", "condition", "seed"), FAULTS)
def test_a_condition_less_is_found_out(label, condition, seed):
    base, random, found = (
        KnowledgeBase(dented(THEORY, label, condition), derivations="one"),
        Random(seed),
        CaptureTally(),
    )
    for _ in range(150):
        state, point = shut_in(random)
        try_position(base, state, random, found, SafetyTruth, about(state, point))
        if found.false:
            return
    raise AssertionError(f"nothing false is derived without `{condition}` in {label}")


EYES = [
    ("two_eyes", "edged("),
    ("two_eyes", "!="),
    ("an_eye_of_one_point", "besides(?p, empty, 0)"),
    ("an_eye_of_one_point", "besides(?p, ?c, 0)"),
    ("an_eye_of_two_points", "besides(?r, ?c, 0)"),
    ("an_eye_with_stones", "liberties(?w, 1)"),
]


def called_alive(theory: Theory) -> Iterator[bool]:
    """Yield whether each stone that a theory calls alive is alive, on endless random boards."""
    base, random = KnowledgeBase(theory), Random(3)
    while True:
        state, _ = shut_in(random)
        base.push()
        base.add(adapter.facts(state))
        base.add(GroundFact("named", (state.name(point),)) for point in state.points())
        for statement in base.engine.statements("alive", "before"):
            (stone,) = SafetyTruth(state).points(statement.terms)
            yield SafetyTruth(state).is_alive(stone)
        base.pop()


def test_what_is_reported_to_be_alive_is():
    assert all(islice(called_alive(THEORY), 150))


@pytest.mark.parametrize(("label", "conditions"), EYES)
def test_eyes_without_a_condition_are_found_out(label, conditions):
    (rule,) = [rule for rule in THEORY.rules if rule.label == label]
    body = tuple(c for c in rule.body if conditions not in print_condition(c))
    assert len(body) < len(rule.body)
    rules = tuple(replace(rule, body=body) if r is rule else r for r in THEORY.rules)
    assert not all(islice(called_alive(replace(THEORY, rules=rules)), 2000))


# Living stones are never captured


def taken_by_the_attacker_only(state: GoBoard, target: int) -> bool:
    """Return whether the attacker captures a stone if its owner always passes.

    Every order of the attacker's moves is tried.
    """
    owner = state.colours[target]
    assert owner != "empty"
    seen, waiting = {state.colours}, [state]
    while waiting:
        here = waiting.pop()
        for point in here.points():
            after = play(here, OTHER[owner], point)
            if after is None or after.colours in seen:
                continue
            if after.colours[target] == "empty":
                return True
            seen.add(after.colours)
            waiting.append(after)
    return False


def small_boards() -> Iterator[GoBoard]:
    colours: tuple[Colour, ...] = ("black", "white", "empty")
    for rows, columns in ((1, 7), (2, 4), (3, 3)):
        for stones in product(colours, repeat=rows * columns):
            try:
                yield GoBoard(rows, columns, stones)
            except BoardError:
                continue


@pytest.mark.deep
def test_on_small_boards_the_attacker_never_takes_what_has_two_eyes():
    judged = 0
    for state in small_boards():
        for found in state.blocks:
            target = min(found.stones)
            if eyes.eyes(state, target) is not None:
                judged += 1
                assert not taken_by_the_attacker_only(state, target), state
                assert target in alive(state, found.colour)
    assert judged > 50


@pytest.mark.deep
def test_the_eyes_that_are_looked_for_are_those_of_the_theory():
    base, random, both = KnowledgeBase(THEORY), Random("eyes"), {True: 0, False: 0}
    for _ in range(150):
        state, _ = shut_in(random)
        base.push()
        game = Atom("save", (Constant(state.name(min(state.blocks[0].stones))),))
        base.add(fact for part in eyes.facts(state, game) for fact in part.facts())
        for found in state.blocks:
            target = min(found.stones)
            statement = GameStatement(Atom("save", (Constant(state.name(target)),)), None, EXISTING)
            says = eyes.eyes(state, target) is not None
            assert base.holds(statement) == says, (state, target)
            both[says] += 1
        base.pop()
    assert min(both.values()) > 30


def test_no_play_of_the_attacker_takes_what_has_two_eyes():
    random, positions = Random("attack"), 0
    while positions < 3000:
        state, _ = shut_in(random)
        safe = [b for b in state.blocks if eyes.eyes(state, min(b.stones)) is not None]
        for found in safe[:1]:
            target, here = min(found.stones), state
            assert not CaptureSearch(state, target).captured_within(3)
            eyeless = set(here.points()) - set().union(
                *(eye.points for eye in eyes.eyes(state, target) or ())
            )
            for ply in range(30):
                # The owner plays anywhere except in his eyes, and may lose other stones.
                player = OTHER[found.colour] if ply % 2 == 0 else found.colour
                points = list(here.points() if player != found.colour else eyeless)
                random.shuffle(points)
                after = next((a for p in points if (a := play(here, player, p)) is not None), None)
                if after is None:
                    continue
                here, positions = after, positions + 1
                assert here.colours[target] == found.colour, state
                assert eyes.eyes(here, target) is not None or target in alive(here, found.colour)


def test_stones_around_an_eye_that_lack_the_other_eye_are_not_alive():
    """One of the two blocks at the first eye can be captured, which destroys the eye."""
    state = board(5, "b1 a2 b2 d1 c2", "a3 b3 c3 d2 e1")
    assert eyes.eyes(state, state.point("b1")) is None
    assert state.point("b1") not in alive(state, "black")


@pytest.mark.parametrize("player", PLAYERS)
def test_two_eyes_are_alive_for_any_player(player):
    black, white = "a2 b2 c2 d2 d1 b1", "a3 b3 c3 d3 e2 e3"
    state = board(5, black, white) if player == "black" else board(5, white, black)
    assert eyes.eyes(state, state.point("a2")) is not None
