"""Tests of the goal-directed machine against the slow reference interpreter in random games."""

from __future__ import annotations

from random import Random

import pytest

from hornbook.planner import _core
from hornbook.planner.gdl.game import Game, program_of
from hornbook.planner.machines.resolution import ResolutionMachine
from oracles.gdl.own_sheets import SHEETS

MOST_PLIES = 40


@pytest.mark.parametrize("name", SHEETS)
def test_random_games_are_those_of_the_twin(name):
    text, random = SHEETS[name].read_text(encoding="utf-8"), Random(1)
    game, machine = Game(text), ResolutionMachine(program_of(text, name))
    assert machine.roles == game.roles
    core, roles = machine.core, range(len(game.roles))
    states = 0
    while states < 45:
        words, state = core.initial(), game.initial
        for _ in range(MOST_PLIES):
            states += 1
            assert machine.state(words) == state
            assert machine.words(state) == words
            core.look(words)
            worths = [found[0] if len(found) == 1 else -1 for found in game.goal(state).values()]
            assert [core.goal(role) for role in roles] == worths
            legal = [core.legal(role) for role in roles]
            for role, moves in enumerate(legal):
                assert moves == sorted(moves)
                named = {machine.move(role, move) for move in moves}
                assert named == set(game.legal(state)[game.roles[role]])
                assert {machine.number(role, move) for move in named} == set(moves)
            assert core.terminal() == game.terminal(state)
            if core.terminal() or not all(legal):
                break
            joint = [random.choice(moves) for moves in legal]
            words = core.next(joint)
            state = game.next(state, {game.roles[role]: machine.move(role, joint[role]) for role in roles})


def _machine(text):
    return ResolutionMachine(program_of(text, "<text>"))


def test_what_the_game_has_no_words_for_is_no_state_and_no_move():
    machine = _machine(SHEETS["nim"].read_text(encoding="utf-8"))
    with pytest.raises(ValueError, match="never makes"):
        machine.words(frozenset([("has", "a", "99")]))
    with pytest.raises(ValueError, match="never makes"):
        machine.words(frozenset(["has"]))
    assert machine.number(0, ("eat", "a")) is None
    with pytest.raises(IndexError, match="no state"):
        machine.core.look([10_000])
    machine.core.look(machine.core.initial())
    with pytest.raises(IndexError, match="no move"):
        machine.core.next([10_000, 0])


RELATIONS = [(0, 0, True), (2, 0, False), (2, 0, True)]


def test_a_circle_of_goals_is_worked_on_until_nothing_is_new():
    # reach(x, z) for edges in a ring, written so that each goal depends on all goals around the ring.
    size = 30
    edges = [(1, [place, (place + 1) % size]) for place in range(size)]
    rules = [
        (2, [~0, ~2], [(0, 2, [~0, ~1]), (0, 2, [~1, ~2])], 3),
        (2, [~0, ~1], [(0, 1, [~0, ~1])], 2),
    ]
    goals = _core.Resolution(RELATIONS, rules, edges, [])
    assert sorted(goals.ask(2, [0, None])) == [[0, place] for place in range(size)]
    assert len(goals.ask(2, [None, 3])) == size
    assert goals.ask(2, [7, 6]) == [[7, 6]]


def test_a_chain_of_goals_needs_no_stack_of_the_processor():
    length = 20_000
    facts = [(1, [place, place + 1]) for place in range(length)]
    rules = [
        (2, [~0, ~1], [(0, 1, [~0, ~1]), (2, 0, [~1, length])], 2),
        (2, [~0, ~2], [(0, 1, [~0, ~1]), (0, 2, [~1, ~2])], 3),
    ]
    goals = _core.Resolution(RELATIONS, rules, facts, [])
    assert goals.ask(2, [0, None]) == [[0, length]]


def test_an_unbound_variable_is_refused():
    goals = _core.Resolution(RELATIONS, [(0, [], [(3, 0, [~0, ~1])], 2)], [], [])
    with pytest.raises(ValueError, match="bound by none"):
        goals.ask(0, [])


def _visits(size, stones):
    """Return rules for cells in a square of this width, and for reachability over stones.

    Each path keeps a list of its visited cells.
    """
    places = [f"p{row}{column}" for row in range(size) for column in range(size)]
    near = [
        (f"p{row}{column}", f"p{row + down}{column + right}")
        for row in range(size)
        for column in range(size)
        for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (-1, -1))
        if 0 <= row + down < size and 0 <= column + right < size
    ]
    lines = ["(role one)", "(legal one wait)", "(<= (next (stone ?p)) (true (stone ?p)))", "(list nil)"]
    lines += [f"(place {place})" for place in places]
    lines += [f"(near {place} {other})" for place, other in near]
    lines += [f"(init (stone {place}))" for place in stones]
    lines += [f"(begin p{row}0)" for row in range(size)]
    lines += [f"(end p{row}{size - 1})" for row in range(size)]
    items = [f"?e{item}" for item in range(len(places))]
    for length in range(1, len(places) + 1):
        written = "nil"
        for item in reversed(items[:length]):
            written = f"(item {item} {written})"
        lines.append(f"(<= (list {written}) {' '.join(f'(place {item})' for item in items[:length])})")
    lines.append("""
        (<= (added ?e nil (item ?e nil)) (place ?e))
        (<= (added ?e (item ?head ?tail) (item ?head ?longer))
            (place ?head) (place ?e) (distinct ?e ?head) (list ?tail) (added ?e ?tail ?longer) (list ?longer))
        (<= (step ?from ?to) (near ?from ?to) (true (stone ?to)))
        (<= (way ?from ?to ?list) (added ?from ?list ?longer) (onward ?from ?to ?longer))
        (<= (onward ?from ?to ?list) (step ?from ?to) (list ?list))
        (<= (onward ?from ?to ?list) (step ?from ?over) (way ?over ?to ?list) (list ?list))
        (<= through (begin ?from) (true (stone ?from)) (way ?from ?to nil) (end ?to))
        (<= terminal through)
        (<= (goal one 100) through)
        (<= (goal one 0) (not through))""")
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("stones", "through"),
    [
        (("p00", "p10", "p11", "p21", "p22", "p32", "p33", "p34", "p40", "p02"), True),
        (("p00", "p10", "p11", "p21", "p22", "p32", "p33", "p43", "p40", "p04"), False),
    ],
)
def test_what_was_visited_is_stored_in_a_list_that_is_queried_for_with_what_is_known(stones, through):
    core = _machine(_visits(5, stones)).core
    for _ in range(25):
        # There are enough queries for the plans to be rebuilt from the observations.
        core.look(core.initial())
        assert (core.terminal(), core.goal(0)) == (through, 100 * through)
        core.look([])
        assert not core.terminal()
