"""Tests of properties of fluents proved by induction, and of properties that must not be proved."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from hornbook.planner._core import Clauses
from hornbook.planner.gdl.game import Game
from hornbook.planner.translation.grounding import ground
from hornbook.planner.translation.induction.one_step import AtomDefinitions
from hornbook.planner.translation.induction.one_valued import one_valued
from hornbook.planner.translation.induction.plays import flat_state, random_states
from hornbook.planner.translation.induction.turns import turns_of
from oracles.gdl.own_sheets import SHEETS


def proved(text: str) -> set[tuple[str, tuple[int, ...], bool]]:
    """Return the properties proved for the fluents of a sheet, if only the first state was searched."""
    first = [flat_state(Game(text).initial)]
    found = one_valued(AtomDefinitions(ground(text, "sheet.kif")), first)
    return {(single.fluent[1][0][0], single.key, single.exactly) for single in found}


def test_fluents_of_our_sheets_with_one_value():
    text = SHEETS["noughts_and_crosses"].read_text(encoding="utf-8")
    assert proved(text) == {("cell", (0, 1), True), ("turn", (), True)}
    assert proved(SHEETS["nim"].read_text(encoding="utf-8")) == {("has", (0,), True), ("turn", (), True)}
    assert proved(SHEETS["lights"].read_text(encoding="utf-8")) == {("step", (), False)}


LAMP = """(role hand) (init (lamp off)) (other on off) (other off on)
(<= (legal hand press) (role hand)) (<= (legal hand wait) (role hand))
(<= (next (lamp ?new)) (does hand press) (true (lamp ?old)) (other ?old ?new))
(<= terminal (true (lamp broken))) (goal hand 100)
"""
WAITING = "(<= (next (lamp ?old)) (does hand wait) (true (lamp ?old)))\n"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (LAMP + WAITING, {("lamp", (), True)}),
        # No rule gives the lamp a value after waiting: there is at most one value.
        (LAMP, {("lamp", (), False)}),
        # After waiting there may be two.
        (LAMP + WAITING + "(<= (next (lamp on)) (does hand wait))\n", set()),
        # Two values appear only after a long time.
        (
            LAMP.replace("(init (lamp off))", "(init (lamp off)) (init (n 0)) (s 0 1) (s 1 2) (s 2 3) (s 3 4)")
            + WAITING
            + "(<= (next (n ?m)) (true (n ?n)) (s ?n ?m))\n(<= (next (lamp on)) (true (n 3)))\n",
            {("n", (), False)},
        ),
        # Two values appear only after a move that is never legal.
        (
            LAMP + WAITING + "(<= (legal hand kick) (true (lamp off)) (true (lamp on)))\n"
            "(<= (next (lamp ?l)) (does hand kick) (true (lamp ?l)))\n"
            "(<= (next (lamp on)) (does hand kick))\n",
            {("lamp", (), True)},
        ),
        (LAMP.replace("(init (lamp off))", "(init (lamp off)) (init (lamp on))") + WAITING, set()),
    ],
)  # fmt: skip
def test_what_is_not_so_first_or_after_a_step_is_not_proved(text, found):
    assert proved(text) == found


def test_what_is_proved_holds_in_states_of_random_games():
    for name in ("noughts_and_crosses", "nim", "hanoi", "maze"):
        text = SHEETS[name].read_text(encoding="utf-8")
        game, found = Game(text), ground(text, name)
        for single in one_valued(AtomDefinitions(found), []):
            keys = {single.of(row) for row in found.has(single.fluent)}
            for state in random_states(game, Random(2), games=3, plies=30):
                counts = dict.fromkeys(keys, 0)
                for relation, row in flat_state(state):
                    if relation == single.fluent:
                        counts[single.of(row)] += 1
                assert set(counts.values()) <= ({1} if single.exactly else {0, 1})


def test_whose_turn_it_is():
    found = ground(SHEETS["noughts_and_crosses"].read_text(encoding="utf-8"), "sheet.kif")
    definitions = AtomDefinitions(found)
    turns = turns_of(definitions, one_valued(definitions, []))
    assert turns.fluent == ("true", (("turn", ((),)),))
    assert {role: row for role, (_, row) in turns.idle.items()} == {
        "cross": ("cross", "pass"), "nought": ("nought", "pass"),
    }  # fmt: skip


def test_the_solver_finds_what_a_table_of_truth_finds():
    random, answers = Random(3), set()
    for _ in range(300):
        count = random.randint(1, 7)
        clauses = [
            [random.choice((1, -1)) * random.randint(1, count) for _ in range(random.randint(1, 3))]
            for _ in range(random.randint(1, 4 * count))
        ]
        assumed = [random.choice((1, -1)) * random.randint(1, count)]
        solver = Clauses()
        for clause in clauses:
            solver.add(clause)
        rows = [dict(enumerate(row, 1)) for row in product((True, False), repeat=count)]
        for literals in ([], assumed, []):
            expected = any(
                all(
                    any(row[abs(each)] == (each > 0) for each in clause)
                    for clause in [*clauses, *([each] for each in literals)]
                )
                for row in rows
            )
            assert solver.can_hold(literals, 10_000) == expected, (clauses, literals)
            answers.add(expected)
    assert answers == {True, False}
