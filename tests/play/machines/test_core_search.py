"""The compiled searches as searches of games in GDL, compared with minimax over all states."""

from __future__ import annotations

from functools import cache
from random import Random
from threading import Timer

import pytest

from hornbook.planner.gdl.game import Game
from hornbook.play.machines.core_search import value_of
from hornbook.play.machines.machine_step import MachineStep
from hornbook.play.machines.sheet_machine import SheetMachine
from oracles.gdl.own_sheets import SHEETS

SMALL = ("nim", "noughts_and_crosses", "graph")
SEARCHES = ("deepening", "alpha-beta", "uct", "uct-rave")


@cache
def step_of(name):
    return MachineStep(SheetMachine(Game.read_kif(SHEETS[name])))


@cache
def guaranteed(state, role):
    """Return the goal that a role can guarantee, by minimax."""
    if state.is_over:
        return state.goals[role]
    below = [guaranteed(after, role) for after in state.next_states.values()]
    return max(below) if state.mover == role else min(below)


def value(state, role):
    """Return the goal that a role can guarantee, as an evaluation."""
    return 20 * guaranteed(state, role) - 1000


def positions(name, games):
    """Return states of random games that are not over, from late to early ones."""
    step, random = step_of(name), Random(name)
    found = []
    for _ in range(games):
        state, met = step.State(str(initial(step))), []
        while not state.is_over:
            met.append(state)
            state = state.after(random.choice(state.moves()))
        found += met[2:]
    return found


def initial(step):
    return step.machine.text(step.machine.core.initial())


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("search", SEARCHES)
def test_values_are_those_of_minimax(name, search):
    searching = step_of(name).search(search, {})
    for state in positions(name, 4):
        found = searching(state, depth=20, nodes=40_000)
        assert found["why"] == "solved"
        assert found["value"] == value(state, state.mover)
        assert value(state.after(found["move"]), state.mover) == found["value"]
        line = state
        for move in found["line"]:
            line = line.after(move)


@pytest.mark.parametrize("search", SEARCHES)
def test_only_the_given_first_moves_are_considered(search):
    step, random = step_of("noughts_and_crosses"), Random(3)
    for state in positions("noughts_and_crosses", 3):
        only = random.sample(state.moves(), max(1, len(state.moves()) // 2))
        found = step.search(search, {})(state, depth=20, nodes=40_000, only=only)
        values = {move: value(state.after(move), state.mover) for move in only}
        assert found["value"] == values[found["move"]] == max(values.values())
        assert found["line"][0] == found["move"]


@pytest.mark.parametrize("search", SEARCHES)
def test_the_same_nodes_give_the_same_decision(search):
    step = MachineStep(SheetMachine(Game.read_kif(SHEETS["noughts_and_crosses"])))
    state = step.State(initial(step))
    first, second = (step.search(search, {})(state, depth=9, nodes=300) for _ in range(2))
    assert {**first, "seconds": 0} == {**second, "seconds": 0}
    assert first["why"] == "nodes"
    assert abs(first["value"]) < 1000


@pytest.mark.parametrize("search", ["uct", "deepening"])
def test_a_signal_ends_a_search(search):
    step = step_of("pawns")
    stop = step.Stop()
    Timer(0.2, stop.set).start()
    found = step.search(search, {})(step.State(initial(step)), seconds=60.0, stop=stop)
    assert found["why"] in ("stopped", "solved")
    assert found["move"] is not None


def test_depths_are_reported_one_by_one():
    step = step_of("noughts_and_crosses")
    reports = []
    state = step.State(initial(step))
    found = step.search("deepening", {})(
        state, depth=4, trace=True, report=lambda *each: reports.append(each)
    )
    assert [depth for depth, _, _ in reports] == [1, 2, 3, 4]
    assert len(found["steps"]) == 4
    assert sum(step[0] for step in found["steps"]) == found["expansions"] + found["evaluations"]
    assert (found["why"], found["depth"]) == ("depth", 4)


def test_wrong_arguments_are_refused():
    step = step_of("nim")
    state = step.State(initial(step))
    for wrong in ({"nodes": 0}, {"depth": 1, "only": ["no"]}, {"depth": 1, "lines": 2}, {"seconds": -1.0}):
        with pytest.raises(ValueError, match=r"\w"):
            step.search("uct", {})(state, **wrong)


def test_nothing_is_decided_after_the_end():
    step = step_of("nim")
    state = step.State("(has a 0) (has b 0) (has c 0) (turn first)")
    found = step.search("uct", {})(state, nodes=10)
    assert (found["move"], found["why"], found["value"]) == (None, "the game is over", -1000)


def test_estimates_are_no_wins():
    state = step_of("nim").State("(has a 1) (has b 0) (has c 0) (turn first)")
    assert [value_of(state, worth, exact=False) for worth in (0, 50, 100)] == [-999, 0, 999]
    assert [value_of(state, worth, exact=True) for worth in (0, 50, 100)] == [-1000, 0, 1000]
