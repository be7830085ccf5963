"""Tests of ground programs against the slow reference interpreter and against clingo."""

from itertools import pairwise
from random import Random

import pytest

from hornbook.matcher.program.coded import Limits
from hornbook.planner.gdl.game import Game, program_of
from hornbook.planner.grounding.grounding import ground
from hornbook.planner.grounding.saturation import TooLarge
from oracles.gdl.clingo_domains import possible
from oracles.gdl.ground_game import GroundGame
from oracles.gdl.own_sheets import SHEETS

MOST_STATES = 60
TEXTS = {name: path.read_text(encoding="utf-8") for name, path in SHEETS.items()}
PROGRAMS = {name: program_of(text, name) for name, text in TEXTS.items()}
GROUND = {name: ground(program) for name, program in PROGRAMS.items()}


@pytest.mark.parametrize("name", SHEETS)
def test_games_at_random_are_the_same(name):
    twin, fast = Game(TEXTS[name]), GroundGame(GROUND[name])
    assert fast.roles == twin.roles
    assert fast.initial == twin.initial
    random = Random(name)
    for _ in range(3):
        state = twin.initial
        for _ in range(MOST_STATES):
            legal = twin.legal(state)
            assert fast.legal(state) == legal
            assert fast.goal(state) == twin.goal(state)
            assert fast.terminal(state) == twin.terminal(state)
            if twin.terminal(state) or not all(legal.values()):
                break
            moves = {role: random.choice(legal[role]) for role in twin.roles}
            assert fast.next(state, moves) == twin.next(state, moves)
            state = twin.next(state, moves)


@pytest.mark.parametrize("name", SHEETS)
def test_any_set_of_fluents_is_a_state_and_any_moves_may_be_done(name):
    twin, fast, program = Game(TEXTS[name]), GroundGame(GROUND[name]), GROUND[name]
    random = Random(name)
    for _ in range(15):
        share = random.random()
        state = frozenset(fluent for fluent in program.fluents if random.random() < share)
        assert fast.legal(state) == twin.legal(state)
        assert fast.goal(state) == twin.goal(state)
        assert fast.terminal(state) == twin.terminal(state)
        moves = {
            role: random.choice(own)
            for role, own in zip(program.roles, program.moves, strict=True)
            if random.random() < 0.8
        }
        assert fast.next(state, moves) == twin.next(state, moves)


@pytest.mark.parametrize("name", SHEETS)
def test_clingo_takes_the_same_fluents_and_moves_for_possible(name):
    program = GROUND[name]
    found = {(fluent,) for fluent in program.fluents}
    for role, moves in zip(program.roles, program.moves, strict=True):
        found.update((role, move) for move in moves)
    assert found == possible(PROGRAMS[name])


@pytest.mark.parametrize("name", SHEETS)
def test_atoms_and_rules_state_in_order(name):
    program = GROUND[name]
    component = list(range(program.atoms))
    for first, end in program.cycles:
        assert program.always < first < end - 1 < program.atoms
        component[first:end] = [first] * (end - first)
    rules = []
    for rule, head in enumerate(program.heads):
        positive = program.positive[program.positive_starts[rule] : program.positive_starts[rule + 1]]
        negative = program.negative[program.negative_starts[rule] : program.negative_starts[rule + 1]]
        assert all(component[atom] <= component[head] for atom in positive)
        assert all(component[atom] < component[head] for atom in negative)
        body = (*positive, *negative)
        assert head not in body
        assert len(set(body)) == len(body)
        assert {program.never, program.always}.isdisjoint(body)
        rules.append((head, tuple(positive), tuple(negative)))
    assert len(set(rules)) == len(rules)
    assert all(one[0] <= other[0] for one, other in pairwise(rules))
    assert rules[0] == (program.always, (), ())
    assert all(positive or negative for _, positive, negative in rules[1:])
    assert {head for head, _, _ in rules} == set(range(program.always, program.atoms))


def sheet(*clauses: str) -> str:
    needed = "(role p) (<= (legal p go) (role p)) (<= terminal (true end)) (goal p 100)"
    return " ".join((needed, *clauses))


def of(*clauses: str):
    return ground(program_of(sheet(*clauses), "sheet"))


def test_what_never_changes_vanishes():
    program = of(
        "(succ 1 2) (succ 2 3) (init (step 1))",
        "(<= (later ?x ?y) (succ ?x ?y))",
        "(<= (later ?x ?z) (later ?x ?y) (succ ?y ?z))",
        "(<= (next (step ?y)) (true (step ?x)) (later ?x ?y) (not (later ?y ?x)))",
    )
    assert program.fluents == (("step", "1"), ("step", "2"), ("step", "3"))
    assert program.initial == (0,)
    assert program.moves == (("go",),)
    assert list(program.legal_atoms[0]) == [program.always]
    assert program.terminal == program.never
    assert program.goals == (((100, program.always),),)
    assert program.next_atoms[0] == program.never
    two, three = program.next_atoms[1:]
    assert list(zip(program.heads, program.positive_starts[1:], strict=True))[1:] == [
        (two, 1),
        (three, 2),
        (three, 3),
    ]
    assert list(program.positive) == [0, 0, 1]


def test_what_can_never_be_is_left_out_with_all_that_rests_on_it():
    # `b` would need a move that needs `b`. The negated atom is a fact and holds whatever is true.
    program = of(
        "(init a) (sure s)",
        "(<= (legal p jump) (true b))",
        "(<= (next b) (does p jump))",
        "(<= (held ?x) (sure ?x))",
        "(<= (held ?x) (true ?x))",
        "(<= (next c) (true a) (not (held s)))",
        "(<= (next d) (true a) (not (held b)))",
    )
    assert program.fluents == ("a", "d")
    assert program.moves == (("go",),)
    assert len(program.heads) == 2


def test_an_absence_of_several_conditions_and_what_rests_on_itself():
    text = sheet(
        "(init (at 1)) (init (open 1)) (edge 1 2) (edge 2 3) (edge 3 1) (edge 3 4)",
        "(<= (near ?x) (true (at ?x)))",
        "(<= (near ?y) (near ?x) (edge ?x ?y) (true (open ?x)))",
        "(<= (next (open ?y)) (true (open ?x)) (edge ?x ?y))",
        "(<= (next (at ?x)) (near ?x) (not (and (true (open ?x)) (edge ?x ?y) (edge ?y ?x) )) (edge ?x ?y))",
        "(<= (next (shut ?x)) (edge ?x ?y) (not (and (true (at ?x)) (near ?y) (does p go))))",
    )
    program = ground(program_of(text, "sheet"))
    assert len(program.cycles) == 1
    twin, fast, random = Game(text), GroundGame(program), Random(5)
    for _ in range(60):
        state = frozenset(fluent for fluent in program.fluents if random.random() < 0.5)
        moves = {"p": "go"} if random.random() < 0.5 else {}
        assert fast.next(state, moves) == twin.next(state, moves)


def test_roles_moves_and_worths_of_every_kind():
    text = (
        "(role random) (role p) (init (on a)) (init idle)"
        "(move (take a)) (move (take b)) (move wait)"
        "(<= (legal ?r ?m) (role ?r) (move ?m)) (<= (legal nobody wait) (true idle))"
        "(<= (next (done ?r ?m)) (does ?r ?m)) (<= (next ?f) (true ?f) (not (true (done p wait))))"
        "(<= terminal (true (done p wait)))"
        "(worth many) (worth 5) (<= (goal random ?w) (worth ?w) (distinct ?w 5)) (<= (goal random 0) (true idle)) (<= (goal p 10) (true (on a))) (<= (goal p 9) (true idle))"
    )
    program, twin = ground(program_of(text, "sheet")), Game(text)
    fast = GroundGame(program)
    assert program.roles == ("random", "p")
    assert program.moves == ((("take", "a"), ("take", "b"), "wait"),) * 2
    assert [[worth for worth, _ in own] for own in program.goals] == [[0], [9, 10]]
    state = twin.initial
    for moves in ({"random": "wait", "p": ("take", "b")}, {"random": ("take", "a"), "p": "wait"}):
        assert fast.goal(state) == twin.goal(state)
        assert fast.terminal(state) == twin.terminal(state)
        assert fast.next(state, moves) == twin.next(state, moves)
        state = twin.next(state, moves)
    assert fast.terminal(state)


GROWING = sheet(
    "(n 0) (n 1) (n 2) (n 3) (n 4) (n 5) (n 6) (n 7) (n 8) (n 9)",
    "(init end)\n",
    "(<= (next (at ?x ?y ?z)) (n ?x) (n ?y) (n ?z) (true end))\n",
    "(<= (next (pair ?x ?y)) (true (at ?x ?y ?z)))\n",
    "(<= (next many) (true (at ?x ?y ?z)) (true (pair ?x ?u)) (true (pair ?y ?u)))",
)
"""A sheet with 1,000 fluents, and 10,000 instances of the last rule."""


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        (Limits(facts=900), "more than 900 facts, most by the rule for `next` in line 2"),
        (Limits(facts=5_000), "more than 5,000 instances of rules, most by the rule for `next` in line 4"),
        (Limits(bytes=60_000), "more than 60,000 bytes"),
        (Limits(bytes=900_000), "more than 900,000 bytes, most by the rule for `next` in line 4"),
        (Limits(seconds=0), "more than 0 seconds"),
    ],
)
def test_too_large(limits, message):
    with pytest.raises(TooLarge) as raised:
        ground(program_of(GROWING, "sheet"), limits)
    assert str(raised.value).startswith(message)
