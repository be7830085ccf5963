"""Tests of the conditional planner: its values are those of minimax, and its strategies pass the checker."""

from __future__ import annotations

from random import Random

import pytest

from hornbook.kb.lower.budget import Budget
from hornbook.planner import _core
from hornbook.planner.conditional.solving import Solution, Solving, solve
from hornbook.planner.gdl.game import Game
from hornbook.planner.machines.choice import machine_of
from hornbook.planner.machines.worths import greatest_worth
from hornbook.planner.strategies.check import check_refutation, check_strategy
from oracles.gdl.own_sheets import SHEETS
from oracles.gdl.plain_minimax import forced, guaranteed, whole_game
from oracles.gdl.random_games import random_game
from oracles.gdl.twin_machine import TwinMachine

MEGABYTE = 2**20


def solver_of(game: Game, role: str, most_bytes: int = MEGABYTE) -> _core.Solver:
    machine = TwinMachine(game)
    place = game.roles.index(role)
    return _core.Solver(machine.core, place, machine.words(game.initial), machine.most(place), most_bytes)


def must_be_right(game: Game, role: str) -> None:
    """Compare the planner's answers about a role with the reference solver, with and without a threshold."""
    value = guaranteed(game, role)
    found = solve(TwinMachine(game), role, game.initial, refuted=True)
    assert found.bounds == (max(0, value), max(0, value))
    assert found.answer == ("found" if value > 0 else "none")
    must_be_refuted(game, role, found)
    for least in (1, 30, 31, 50, 100, 250, 251):
        queried = solve(TwinMachine(game), role, game.initial, least, refuted=True)
        must_be_refuted(game, role, queried)
        assert queried.answer == ("found" if value >= least else "none")
        assert queried.bounds[0] <= max(0, value) <= queried.bounds[1]
        assert (queried.strategy is None) == (value < least)
        if queried.strategy is not None:
            assert least <= queried.strategy.value <= value
            assert check_strategy(game, queried.strategy) == ()


def must_be_refuted(game: Game, role: str, found: Solution) -> None:
    """Check the strategy behind the upper bound of an answer.

    It exists unless the bound follows from the rules of the game alone.
    """
    upper = found.bounds[1]
    assert (found.refutation is None) == (upper >= greatest_worth(game.program, role))
    if found.refutation is not None:
        assert (found.refutation.role, found.refutation.most) == (role, upper)
        assert check_refutation(game, found.refutation) == ()


@pytest.mark.parametrize("name", ["fists", "graph", "three_buttons"])
def test_own_sheets(name):
    game = Game(SHEETS[name].read_text(encoding="utf-8"))
    for role in game.roles:
        must_be_right(game, role)


def test_nim():
    game = Game(SHEETS["nim"].read_text(encoding="utf-8"))
    found = {role: solve(TwinMachine(game), role, game.initial) for role in game.roles}
    assert {role: (each.answer, each.bounds) for role, each in found.items()} == {
        "first": ("found", (100, 100)),
        "second": ("none", (0, 0)),
    }
    strategy = found["first"].strategy
    assert strategy is not None
    assert strategy.nodes[0].move == ("leave", "a", "1")
    assert check_strategy(game, strategy) == ()


@pytest.mark.parametrize("seed", range(30))
def test_random_games(seed):
    game = Game(random_game(Random(seed)))
    for role in game.roles:
        must_be_right(game, role)


@pytest.mark.parametrize("seed", range(30))
def test_proof_numbers_claim_nothing_wrong_and_decide_in_the_end(seed):
    game = Game(random_game(Random(1000 + seed), 20))
    value = guaranteed(game, "ann")
    for least in (1, 30, 50, 100):
        solver = solver_of(game, "ann")
        most = 1
        while not solver.prove(least, 60, most):
            lower, upper = solver.bounds()
            assert lower <= value <= upper
            assert lower < least <= upper
            most += 1
            assert most < 100
        lower, upper = solver.bounds()
        assert lower <= value <= upper
        assert lower >= least or upper < least


def test_random_games_have_what_games_can_have():
    """The random games must have varied features, or the tests above would show little."""
    values, cyclic, simultaneous, circling = set(), 0, 0, 0
    for seed in range(40):
        game = Game(random_game(Random(seed)))
        values.add(guaranteed(game, "ann"))
        states = whole_game(game, "ann", game.initial)
        refutation = solve(TwinMachine(game), "ann", game.initial, refuted=True).refutation
        circling += refutation is not None and any(
            answer.to <= place for place, node in enumerate(refutation.nodes) for answer in node.answers
        )
        ends = {state for state, here in states.items() if isinstance(here, int)}
        cyclic += len(forced(dict(states), -1)) < len(states)
        simultaneous += any(
            len(here) > 1 and len(replies) > 1
            for state, here in states.items()
            if state not in ends and not isinstance(here, int)
            for replies in here.values()
        )
    assert values >= {-1, 0, 30, 50}
    assert circling > 5
    assert cyclic > 5
    assert simultaneous > 5


REPETITION = """
(role ann) (role ben) (init (at 0))
(<= (legal ?r ?m) (true (at ?s)) (may ?s ?r ?m))
(<= (next (at ?t)) (true (at ?s)) (does ann ?m) (does ben ?n) (edge ?s ?m ?n ?t))
(<= terminal (true (at ?s)) (over ?s))
(<= (goal ?r ?n) (true (at ?s)) (worth ?s ?r ?n))
(may 0 ann go) (may 0 ben go) (may 0 ben back) (edge 0 go go 1) (edge 0 go back 2)
(may 1 ann go) (may 1 ben go) (may 1 ann out) (edge 1 go go 2) (edge 1 out go 3)
(may 2 ann go) (may 2 ben go) (may 2 ann out) (edge 2 go go 1) (edge 2 out go 1)
(over 3) (worth 3 ann 50) (worth 3 ben 50)
"""


def test_a_way_back_is_no_way_out_and_hides_none():
    """State 2 leads back only to state 1, which has a way out.

    State 2 is a repetition on one path to it, but not on another.
    """
    game = Game(REPETITION)
    must_be_right(game, "ann")
    endless = Game(REPETITION.replace("(may 1 ann out)", "(may none ann out)"))
    assert guaranteed(endless, "ann") == -1
    must_be_right(endless, "ann")


def test_noughts_and_crosses():
    game = Game(SHEETS["noughts_and_crosses"].read_text(encoding="utf-8"))
    start = game.initial
    for cross, nought in ((("put", "1", "1"), "pass"), ("pass", ("put", "2", "2"))):
        start = game.next(start, {"cross": cross, "nought": nought})
    for role in game.roles:
        found = solve(TwinMachine(game), role, start)
        assert found.answer == "found"
        assert found.bounds == (50, 50)
        assert found.strategy is not None
        assert check_strategy(game, found.strategy, start) == ()


def test_a_play_that_goes_in_circles_refutes():
    """No role can leave states 1 and 2, so the end worth 50 is never reached."""
    endless = Game(REPETITION.replace("(may 1 ann out)", "(may none ann out)"))
    found = solve(TwinMachine(endless), "ann", endless.initial, refuted=True)
    assert found.refutation is not None
    assert [[answer.to for answer in node.answers] for node in found.refutation.nodes] == [[1], [2, 2], [1]]
    must_be_refuted(endless, "ann", found)


def test_a_goal_above_100_counts_as_no_goal():
    rich = Game(REPETITION.replace("(worth 3 ann 50)", "(worth 3 ann 250)"))
    for machine in (TwinMachine(rich), machine_of(rich)):
        found = solve(machine, "ann", rich.initial)
        assert (found.bounds[1] < 50, found.strategy is None or found.strategy.value < 50) == (True, True)


def test_limits_give_what_is_proved_by_then():
    game = Game(SHEETS["nim"].read_text(encoding="utf-8"))
    found = solve(TwinMachine(game), "first", game.initial, None, Budget(steps=20))
    assert (found.answer, found.bounds, found.strategy, found.nodes) == ("open", (0, 100), None, 20)
    found = solve(TwinMachine(game), "first", game.initial, None, Budget(seconds=0))
    assert (found.answer, found.bounds) == ("open", (0, 100))
    found = solve(TwinMachine(game), "first", game.initial, None, Budget(megabytes=0))
    assert (found.answer, found.bounds) == ("open", (0, 100))


def test_an_interrupt_leaves_what_is_proved():
    game = Game(SHEETS["nim"].read_text(encoding="utf-8"))

    def interrupt(_: Solving) -> None:
        raise KeyboardInterrupt

    found = solve(TwinMachine(game), "first", game.initial, None, Budget(), interrupt)
    assert found.bounds[0] <= 100 <= found.bounds[1]
