"""Tests of searches stopped by a time limit or by Ctrl-C.

They must stop in the middle of their work, which would take hours. The results proved before must be true and
stay available.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic, sleep

import pytest

from hornbook.kb.lower.budget import Budget
from hornbook.matcher.program.coded import Limits as GroundLimits
from hornbook.planner import _core
from hornbook.planner.conditional import guarantee as module
from hornbook.planner.conditional.guarantee import guarantee
from hornbook.planner.conditional.solving import Solution, Solving, solve
from hornbook.planner.gdl.game import Game
from hornbook.planner.machines.choice import limits_within, machine_of
from hornbook.planner.machines.machine import GameMachine
from hornbook.planner.strategies.check import check_strategy
from oracles.gdl.own_sheets import SHEETS

FAR = 600.0
MOVES = 60
ROLES = ["ann", "ben", "cid", "dan"]
WIDE = "\n".join(
    [
        *(f"(role {role})" for role in ROLES),
        *(f"(word {number})" for number in range(MOVES)),
        "(init (at ann 0))",
        "(<= (legal ?r ?m) (role ?r) (word ?m))",
        "(<= (next (at ?r ?m)) (does ?r ?m))",
        "(<= terminal (true (at ann 1)))",
        "(<= (goal ann 50) (true (at ann 1))) (<= (goal ann 100) (true (at ann 0))) (goal ben 0) (goal cid 0) (goal dan 0)",
    ]
)
"""A game with 60 ** 4 joint moves in each state."""
CAUTIOUS = """(role ann) (role ben) (init begin)
(legal ann stop) (legal ann go) (legal ben here) (legal ben there)
(<= (next (over 30)) (does ann stop) (true begin))
(<= (next (over 100)) (does ann go) (does ben here) (true begin))
(<= (next (over 50)) (does ann go) (does ben there) (true begin))
(<= terminal (true (over ?n))) (<= (goal ann ?n) (true (over ?n))) (<= (goal ben 0) (true (over ?n)))
"""


def wide_solver() -> _core.Solver:
    machine = machine_of(Game(WIDE))
    return _core.Solver(machine.core, 0, machine.core.initial(), machine.most(0), 2**28)


def nim_solver() -> _core.Solver:
    machine = machine_of(Game.read_kif(SHEETS["nim"]))
    return _core.Solver(machine.core, 0, machine.core.initial(), machine.most(0), 2**28)


@contextmanager
def interrupted_after(seconds: float) -> Iterator[None]:
    """Interrupt once, by a timer, as Ctrl-C does."""

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


SEARCHES: list[Callable[[_core.Solver], object]] = [
    lambda solver: solver.explore(FAR, 2**62),
    lambda solver: solver.prove(50, FAR, 2**62),
]


@pytest.mark.parametrize("search", SEARCHES, ids=["explore", "prove"])
def test_the_time_ends_the_expansion_of_one_state(search):
    solver = wide_solver()
    solver.stop_after(0.1)
    assert not search(solver)
    assert solver.expanded == 0
    assert solver.bounds() == (-1, 100)


@pytest.mark.parametrize("search", SEARCHES, ids=["explore", "prove"])
def test_an_interrupt_ends_the_expansion_of_one_state(search):
    solver = wide_solver()
    with pytest.raises(KeyboardInterrupt), interrupted_after(0.1):
        search(solver)
    assert solver.expanded == 0
    assert solver.bounds() == (-1, 100)


def test_backward_induction_without_time_leaves_what_was_concluded_before():
    solver = nim_solver()
    assert not solver.explore(FAR, 20)
    before = solver.bounds()
    while not solver.explore(FAR, 2**62):
        pass
    solver.stop_after(0)
    assert solver.bounds() == before
    assert solver.strategy(100) == []
    solver.stop_after(FAR)
    assert solver.bounds() == (100, 100)
    assert solver.strategy(100)


def test_a_search_that_was_stopped_goes_on():
    solver = nim_solver()
    for _ in range(100_000):
        solver.stop_after(0)
        solver.prove(100, FAR, 2**62)
        solver.stop_after(0.001)
        if solver.prove(100, FAR, 2**62):
            break
        lower, upper = solver.bounds()
        assert lower <= 100 <= upper
    assert solver.bounds()[0] == 100


def test_all_of_a_very_wide_game_is_within_its_time():
    game = Game(WIDE)
    found = solve(machine_of(game), "ann", game.initial, None, Budget(seconds=0.5))
    assert (found.answer, found.bounds, found.strategy) == ("open", (0, 100), None)


def test_an_interrupt_in_a_very_wide_game_leaves_the_interval():
    game = Game(WIDE)
    with interrupted_after(0.3):
        found = guarantee(game, "ann", game.initial, None, Budget(seconds=FAR))
    assert found == Solution("open", (0, 100), None, found.nodes)


def test_grounding_has_a_third_of_the_time(monkeypatch):
    queried: list[GroundLimits] = []

    def slow(game: Game, limits: GroundLimits) -> GameMachine:
        queried.append(limits)
        started = monotonic()
        while monotonic() - started < 0.2:
            pass
        return machine_of(game, limits)

    monkeypatch.setattr(module, "machine_of", slow)
    game = Game(WIDE)
    found = guarantee(game, "ann", game.initial, None, Budget(seconds=0.3))
    assert queried == [limits_within(0.3)]
    assert queried[0].seconds == pytest.approx(0.1)
    assert found.bounds == (0, 100)
    # The time spent on grounding is not given again.
    nim = Game.read_kif(SHEETS["nim"])
    assert guarantee(nim, "first", nim.initial, None, Budget(seconds=0.1)).nodes < 20
    assert guarantee(nim, "first", nim.initial, None, Budget(seconds=30)).nodes > 20


def test_an_interrupt_while_grounding_leaves_the_interval(monkeypatch):
    def interrupted(game: Game, limits: GroundLimits) -> GameMachine:
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "machine_of", interrupted)
    game = Game(CAUTIOUS)
    assert guarantee(game, "ann", game.initial, None, Budget()) == Solution("open", (0, 100), None, 0)


@pytest.mark.deep
def test_a_strategy_that_there_is_no_time_for_is_not_announced():
    game = Game(CAUTIOUS)
    found = solve(machine_of(game), "ann", game.initial)
    assert (found.answer, found.bounds) == ("found", (50, 50))
    assert found.strategy is not None
    assert check_strategy(game, found.strategy) == ()
    solving = Solving(machine_of(game), "ann", game.initial, None, Budget(seconds=1))
    solving.run()
    sleep(1)
    solved = solving.solution()
    assert (solved.answer, solved.bounds, solved.strategy) == ("open", (50, 50), None)
