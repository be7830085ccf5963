"""Tests of explanations for missing facts: the first failing condition of each clause, in a state of a game."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from hornbook.planner.gdl.game import Game
from hornbook.planner.gdl.ground import text_of
from hornbook.planner.gdl.proofs.why_not import ClauseAttempt, lines
from hornbook.planner.gdl.user_input import query_of
from oracles.gdl.own_sheets import SHEETS

SHEET = (Path(__file__).parent / "data" / "why_not_sheet.txt").read_text(encoding="utf-8")


def reported(queried: str, *state: str, do: str | None = None) -> list[str]:
    game = Game(SHEET, "lamp.kif")
    now = frozenset(("lamp" if word in ("on", "off") else "step", word) for word in state) or game.initial
    moves = None if do is None else {"hand": do}
    return list(lines(game.why_not(now, query_of(queried, game), moves), lambda span: str(span.line)))


def test_the_first_condition_that_fails():
    assert reported("(legal hand (turn off))") == [
        "  clause [7]",
        "    with ?now = off, ?to = off",
        "    holds: (true (lamp off))",
        "    fails: (other off off)",
    ]


def test_what_should_be_absent_is_proved():
    assert reported("(legal hand wait)") == [
        "  clause [8]",
        "    holds: (role hand)",
        "    fails: (not (true (lamp off)))",
        "      because: (true (lamp off))  [the state]",
    ]
    assert reported("(goal hand 0)") == [
        "  clause [13]",
        "    holds: (role hand)",
        "    holds: (not (goal hand 100))",
        "    fails: (not (and (true (lamp off)) (true (step 1))))",
        "      because: (true (lamp off))  [the state]",
        "      because: (true (step 1))  [the state]",
    ]


def test_what_fails_is_explained_in_turn_and_once():
    assert reported("terminal") == [
        "  clause [11]",
        "    with ?n = 1",
        "    holds: (true (step 1))",
        "    fails: (above 1 1)",
        "      clause [4]",
        "        with ?x = 1, ?y = 1",
        "        fails: (higher 1 1)",
        "      clause [5]",
        "        with ?x = 1, ?z = 1",
        "        fails: (above 1 ?y)",
        "          clause [4]",
        "            with ?x = 1",
        "            fails: (higher 1 ?y)",
        "          clause [5]",
        "            with ?x = 1",
        "            fails: (above 1 ?y)  [above]",
    ]
    assert reported("terminal", "on", "3")[-1] == "    fails: (distinct 3 3)"


def test_each_alternative_of_an_or_has_its_reason():
    assert reported("(next (lamp on))", "on", "3", do="stay") == [
        "  clause [9]",
        "    with ?to = on",
        "    fails: (does hand (turn on))",
        "  clause [10]",
        "    holds: (true (lamp on))",
        "    fails: (or …)",
        "      clause [10]",
        "        fails: (does hand wait)",
        "      clause [10]",
        "        fails: (true (step 9))",
    ]


def test_what_no_clause_concludes_has_no_reason():
    assert reported("(goal hand 50)") == []
    assert reported("(other on on)") == []


def test_a_word_queried_for_in_two_places():
    game = Game(
        "(role p) (init a) (init (b c)) (legal p (b c)) (<= (pair ?x ?y) (true ?x) (true ?y)) (terminal) (goal p 1) (<= (odd ?x ?y) (true (b ?x)) (true ?y))".replace(
            "(terminal)", "(<= terminal (true a))"
        )
    )
    assert game.why_not(game.initial, query_of("(odd ?x ?x)", game)) == ()


def messages(attempt: ClauseAttempt):
    yield attempt
    for each in attempt.deeper:
        yield from messages(each)


@pytest.mark.parametrize("name", ["nim", "noughts_and_crosses", "lights", "maze", "fists", "hanoi"])
def test_what_is_reported_to_hold_holds_and_what_is_reported_to_fail_does_not(name):
    """Query moves that are legal in some state, in all states of a random game.

    The reference interpreter evaluates each condition separately.
    """
    game = Game(SHEETS[name].read_text(encoding="utf-8"))
    random, now = Random(name), game.initial
    known: set[tuple[str, str]] = set()
    queried = 0
    for _ in range(12):
        legal = game.legal(now)
        known |= {(role, text_of(move)) for role, moves in legal.items() for move in moves}
        for role, move in random.sample(sorted(known), min(8, len(known))):
            found = game.why_not(now, query_of(f"(legal {role} {move})", game))
            if move in map(text_of, legal[role]):
                continue
            assert found
            for attempt in (each for every in found for each in messages(every)):
                for condition, holds in [*((each, True) for each in attempt.met), (attempt.failing, False)]:
                    if not condition.startswith(("(not", "(distinct", "(same", "(or")):
                        queried += 1
                        assert bool(game.query(now, query_of(condition, game))) == holds
        if game.terminal(now) or not all(legal.values()):
            break
        now = game.next(now, {role: random.choice(moves) for role, moves in legal.items()})
    assert queried or name in ("lights", "fists")
