"""Tests of Monte Carlo tree search: proved bounds contain the value by minimax, and forced wins are found."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from threading import Thread

import pytest

from hornbook.planner import _core
from hornbook.planner.gdl.game import Game
from hornbook.planner.machines.choice import machine_of
from hornbook.planner.machines.machine import GameMachine
from hornbook.planner.machines.resolution import ResolutionMachine
from oracles.gdl.connect_four import connect_four
from oracles.gdl.own_sheets import SHEETS
from oracles.gdl.plain_minimax import guaranteed
from oracles.gdl.random_games import random_game
from oracles.gdl.twin_machine import TwinMachine

ENDLESS = 1e12
MANY = 2**62


def game_of(name: str) -> Game:
    return Game(SHEETS[name].read_text(encoding="utf-8"))


def search_of(
    machine: GameMachine, rave: bool = False, seed: int = 1, megabytes: int = 16
) -> _core.TreeSearch:
    return _core.TreeSearch(machine.core, rave=rave, seed=seed, megabytes=megabytes)


def run(
    search: _core.TreeSearch, words: list[int], role: int = 0, playouts: int = 2000, threads: int = 1
) -> _core.TreeResult:
    return search.run(words, role, seconds=ENDLESS, playouts=playouts, threads=threads)


def parts_of(result: _core.TreeResult) -> tuple[object, ...]:
    moves = [(each.move, each.visits, each.worth, each.lower, each.upper) for each in result.moves]
    return result.move, result.worth, result.playouts, result.nodes, result.depth, result.line, moves


@pytest.mark.parametrize("seed", range(60))
def test_bounds_are_right_in_random_games(seed):
    game = Game(random_game(Random(seed)))
    machine = TwinMachine(game) if seed % 2 else machine_of(game)
    words = machine.core.initial()
    for role, name in enumerate(game.roles):
        value = max(0, guaranteed(game, name))
        search = search_of(machine, rave=seed % 3 == 0)
        for _ in range(3):
            found = run(search, words, role, playouts=60)
            assert found.lower <= value <= found.upper
            assert 0 <= found.worth <= 100
            legal = game.legal(game.initial)
            if game.terminal(game.initial) or not all(legal.values()):
                assert (found.move, found.line) == (-1, [])
                continue
            assert {machine.move(role, each.move) for each in found.moves} == set(legal[name])
            assert found.move in {each.move for each in found.moves}
            for each in found.moves:
                assert 0 <= each.worth <= 100
                assert each.lower <= found.upper
            must_be_playable(game, machine, found.line)


def must_be_playable(game: Game, machine: GameMachine, line: list[list[int]]) -> None:
    """Check that the joint moves of a line are legal, one after another."""
    state = game.initial
    for joint in line:
        assert not game.terminal(state)
        moves = {name: machine.move(role, joint[role]) for role, name in enumerate(game.roles)}
        legal = game.legal(state)
        assert all(moves[name] in legal[name] for name in game.roles)
        state = game.next(state, moves)


@pytest.mark.parametrize("rave", [False, True])
@pytest.mark.parametrize("threads", [1, 2])
def test_a_forced_win_is_found_and_proved(rave, threads):
    game = game_of("nim")
    machine = machine_of(game)
    search = search_of(machine, rave)
    found = run(search, machine.core.initial(), playouts=200_000, threads=threads)
    assert machine.move(0, found.move) == ("leave", "a", "1")
    assert (found.worth, found.lower, found.upper) == (100, 100, 100)
    assert found.playouts < 200_000
    loses = run(search, machine.core.initial(), role=1)
    assert (loses.worth, loses.lower, loses.upper, loses.playouts) == (0, 0, 0, 0)


def test_connect_four_on_a_small_board_is_proved_drawn():
    machine = machine_of(Game(connect_four(4, 4)))
    found = run(search_of(machine, megabytes=64), machine.core.initial(), playouts=MANY)
    assert (found.worth, found.lower, found.upper) == (50, 50, 50)


@pytest.mark.parametrize("rave", [False, True])
def test_one_thread_repeats_its_results(rave):
    machine = machine_of(Game(connect_four(7, 6)))

    def results(seed: int) -> list[tuple[object, ...]]:
        search = search_of(machine, rave, seed)
        first = run(search, machine.core.initial())
        machine.core.look(machine.core.initial())
        after = machine.core.next(first.line[0])
        return [parts_of(first), parts_of(run(search, after, role=1))]

    assert results(1) == results(1)
    assert results(1) != results(2)


def test_the_tree_is_used_again_after_moves():
    machine = machine_of(Game(connect_four(7, 6)))
    search = search_of(machine)
    first = run(search, machine.core.initial())
    machine.core.look(machine.core.initial())
    after = machine.core.next(first.line[0])
    again = run(search, after, role=1, playouts=0)
    best = max(first.moves, key=lambda each: each.visits)
    # The first game through a state does not choose a move there.
    assert sum(each.visits for each in again.moves) == best.visits - 1


def test_memory_is_bounded_and_the_part_below_the_state_remains():
    machine = machine_of(Game(connect_four(7, 6)))
    search = search_of(machine, megabytes=1)
    words = machine.core.initial()
    sizes = []
    for ply in range(6):
        found = run(search, words, role=ply % 2, playouts=20_000)
        sizes.append(found.nodes)
        machine.core.look(words)
        words = machine.core.next(found.line[0])
    assert max(sizes) < 2**20 / 40
    fresh = run(search_of(machine, megabytes=1), words, playouts=0)
    reused = run(search, words, playouts=0)
    assert sum(each.visits for each in reused.moves) > sum(each.visits for each in fresh.moves) == 0


def test_simultaneous_moves_are_mixed():
    """In scissors, paper, stone no shape is better, so decoupled UCT tries all of them often."""
    machine = machine_of(game_of("fists"))
    found = run(search_of(machine), machine.core.initial(), playouts=20_000)
    assert all(each.visits > 2000 for each in found.moves)
    assert 40 < found.worth < 60
    assert (found.lower, found.upper) == (0, 100)


def test_an_exhaustible_win_against_simultaneous_moves_is_proved():
    game = Game(
        """
        (role ann) (role ben) (init (at 0))
        (<= (legal ?r one) (role ?r)) (<= (legal ?r two) (role ?r))
        (<= (next (at 1)) (does ann one)) (<= (next (at 2)) (does ann two) (does ben one))
        (<= (next (at 3)) (does ann two) (does ben two))
        (<= terminal (not (true (at 0))))
        (<= (goal ann 100) (true (at 1))) (<= (goal ann 100) (true (at 2))) (<= (goal ann 0) (true (at 3)))
        (<= (goal ben 0) (true (at 1))) (<= (goal ben 0) (true (at 2))) (<= (goal ben 100) (true (at 3)))
        """
    )
    machine = machine_of(game)
    found = run(search_of(machine), machine.core.initial())
    assert (machine.move(0, found.move), found.lower) == ("one", 100)
    bounds = {machine.move(0, each.move): (each.lower, each.upper) for each in found.moves}
    assert bounds == {"one": (100, 100), "two": (0, 100)}


@pytest.mark.parametrize("threads", [1, 2])
def test_a_signal_ends_a_search_without_limits(threads):
    machine = machine_of(Game(connect_four(7, 6)))
    search, stop, found = search_of(machine), _core.StopSignal(), []

    def work() -> None:
        found.append(
            search.run(machine.core.initial(), 0, seconds=ENDLESS, playouts=MANY, threads=threads, stop=stop)
        )

    thread = Thread(target=work)
    thread.start()
    assert not stop.is_set
    stop.set()
    thread.join()
    assert stop.is_set
    assert found[0].move in {each.move for each in found[0].moves}
    stopped = search.run(machine.core.initial(), 0, seconds=ENDLESS, playouts=MANY, threads=1, stop=stop)
    assert stopped.playouts == 0


@pytest.mark.parametrize(
    ("roles", "goals", "worth"),
    [
        ("(role ann)", "", 0),
        ("(role ann) (role ben) (legal ben a)", "", 50),
        ("(role ann) (role ben) (legal ben a)", "(goal ann 70)", 70),
    ],
)
def test_games_without_an_end_are_cut(roles, goals, worth):
    game = Game(
        f"{roles} (init on) (legal ann a) (legal ann b) (next on) {goals}"
        "(<= terminal (true off)) (<= (goal ann 80) (true off))"
    )
    for machine in (TwinMachine(game), machine_of(game)):
        found = run(search_of(machine), machine.core.initial(), playouts=3)
        assert (found.playouts, found.worth, found.lower, found.upper) == (3, worth, 0, 100)


def test_a_state_without_moves_is_worth_nothing():
    game = game_of("stuck")
    for machine in (TwinMachine(game), machine_of(game)):
        found = run(search_of(machine), machine.core.initial())
        assert found.move >= 0
        words = machine.core.initial()
        machine.core.look(words)
        while legal := machine.core.legal(0):
            words = machine.core.next(legal[:1])
            machine.core.look(words)
        stuck = run(search_of(machine), words)
        assert (stuck.move, stuck.worth, stuck.upper, stuck.moves) == (-1, 0, 0, [])


def test_a_goal_directed_machine_is_searched_by_one_thread():
    game = game_of("noughts_and_crosses")
    machine = ResolutionMachine(game.program)
    found = run(search_of(machine), machine.core.initial(), playouts=300, threads=4)
    assert found.playouts == 300


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


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_ends_a_search_without_limits(threads):
    machine = machine_of(Game(connect_four(7, 6)))
    search = search_of(machine)
    with pytest.raises(KeyboardInterrupt), interrupted_after(0.1):
        run(search, machine.core.initial(), playouts=MANY, threads=threads)
    after = run(search, machine.core.initial(), playouts=10)
    assert after.move >= 0


def test_bad_calls_are_refused():
    machine = machine_of(game_of("nim"))
    search = search_of(machine)
    with pytest.raises(ValueError, match="no such role"):
        run(search, machine.core.initial(), role=2)
    with pytest.raises(ValueError, match="no state"):
        run(search, [1, 2, 3, 4, 5])
    assert run(search, machine.core.initial()).move >= 0


def test_an_error_of_the_machine_ends_the_search():
    class Broken(TwinMachine):
        left = 50

        def next(self, joint):
            self.left -= 1
            if not self.left:
                raise ZeroDivisionError
            return super().next(joint)

    machine = Broken(game_of("nim"))
    search = search_of(machine)
    with pytest.raises(ZeroDivisionError):
        run(search, machine.core.initial(), playouts=1000)
    assert run(search, machine.core.initial(), playouts=10).playouts == 10
