"""Tests of minimax and alpha-beta against plain implementations by the rules of the sheet."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from random import Random
from threading import Thread

import pytest

from hornbook.planner import _core
from hornbook.planner.gdl.game import Game, State
from hornbook.planner.machines.choice import machine_of
from hornbook.planner.machines.machine import GameMachine
from oracles.gdl.connect_four import connect_four
from oracles.gdl.own_sheets import SHEETS
from oracles.gdl.plain_minimax import guaranteed
from oracles.gdl.random_games import random_game
from oracles.gdl.twin_machine import TwinMachine

ENDLESS = 1e12
MANY = 2**62


def game_of(name: str) -> Game:
    return Game(SHEETS[name].read_text(encoding="utf-8"))


def search_of(machine: GameMachine, alpha_beta: bool = True, megabytes: int = 16) -> _core.BoundedSearch:
    return _core.BoundedSearch(machine.core, alpha_beta=alpha_beta, megabytes=megabytes)


def run(
    search: _core.BoundedSearch, words: list[int], role: int, depth: int, nodes: int = MANY
) -> _core.BoundedResult:
    return search.run(words, role, seconds=ENDLESS, nodes=nodes, depth=depth)


def plain(game: Game, role: str, state: State, depth: int) -> int:
    """Return the value by minimax at a depth."""
    goals = game.goal(state)[role]
    goal = goals[0] if len(goals) == 1 else None
    if game.terminal(state):
        return goal or 0
    legal = game.legal(state)
    if depth == 0:
        mobility = 100 * len(legal[role]) // max(1, sum(map(len, legal.values())))
        return min(max(((50 if goal is None else goal) + mobility) // 2, 1), 99)
    if not all(legal.values()):
        return 0
    others = [name for name in game.roles if name != role]
    return max(
        min(
            plain(
                game,
                role,
                game.next(state, {role: move, **dict(zip(others, reply, strict=True))}),
                depth - 1,
            )
            for reply in product(*(legal[name] for name in others))
        )
        for move in legal[role]
    )


def state_after(game: Game, random: Random, plies: int) -> State:
    """Return a state after random moves that is not terminal."""
    state = game.initial
    for _ in range(plies):
        legal = game.legal(state)
        after = game.next(state, {role: random.choice(legal[role]) for role in game.roles})
        if game.terminal(after):
            break
        state = after
    return state


@pytest.mark.parametrize("alpha_beta", [False, True])
@pytest.mark.parametrize("seed", range(12))
def test_values_at_a_depth_are_those_of_plain_minimax(alpha_beta, seed):
    """A state occurs only after a certain number of moves here, so its value is always for the same depth."""
    random = Random(seed)
    game = Game(connect_four(4, 4)) if seed % 2 else game_of(random.choice(["fists", "noughts_and_crosses"]))
    state = state_after(game, random, random.randrange(3, 8))
    machine = machine_of(game)
    for role, name in enumerate(game.roles):
        for depth in range(1, 4 if seed % 2 else 3):
            found = run(search_of(machine, alpha_beta), machine.words(state), role, depth)
            assert found.worth == plain(game, name, state, depth)
            assert found.lower <= found.worth <= found.upper
            assert machine.move(role, found.move) in game.legal(state)[name]
            if found.worth == 100:
                assert (found.lower, found.exact) == (100, True)


@pytest.mark.parametrize("alpha_beta", [False, True])
@pytest.mark.parametrize("seed", range(40))
def test_bounds_are_right_in_random_games(alpha_beta, seed):
    game = Game(random_game(Random(seed)))
    machine = TwinMachine(game) if seed % 2 else machine_of(game)
    words = machine.core.initial()
    for role, name in enumerate(game.roles):
        value = max(0, guaranteed(game, name))
        search = search_of(machine, alpha_beta)
        for depth in (1, 2, 3, 12):
            found = run(search, words, role, depth, nodes=3000)
            assert found.lower <= value <= found.upper
            assert found.exact == (found.lower == found.upper)
            if found.exact:
                assert found.worth == value
            legal = game.legal(game.initial)
            if game.terminal(game.initial) or not all(legal.values()):
                assert (found.move, found.exact) == (-1, True)
            else:
                assert machine.move(role, found.move) in legal[name]


def test_random_games_are_often_decided():
    """The test above would show little if the bounds stayed apart."""
    decided = 0
    for seed in range(40):
        machine = machine_of(Game(random_game(Random(seed))))
        decided += run(search_of(machine), machine.core.initial(), 0, 12, nodes=3000).exact
    assert decided > 20


@pytest.mark.parametrize("alpha_beta", [False, True])
def test_whole_games_are_decided(alpha_beta):
    machine = machine_of(game_of("nim"))
    search = search_of(machine, alpha_beta)
    found = run(search, machine.core.initial(), 0, 100)
    assert (found.exact, found.worth, machine.move(0, found.move)) == (True, 100, ("leave", "a", "1"))
    assert run(search, machine.core.initial(), 1, 100).worth == 0
    small = machine_of(Game(connect_four(4, 4)))
    drawn = run(search_of(small, alpha_beta, 64), small.core.initial(), 0, 100)
    assert (drawn.exact, drawn.worth, len(drawn.line)) == (True, 50, 16)


def test_alpha_beta_needs_fewer_states():
    machine = machine_of(Game(connect_four(5, 5)))
    plain_nodes, nodes = (
        run(search_of(machine, alpha_beta), machine.core.initial(), 0, 6).nodes
        for alpha_beta in (False, True)
    )
    assert nodes < plain_nodes / 3


def test_a_lost_state_is_prolonged():
    """The move of the last depth at which the loss was not proved remains."""
    game = game_of("nim")
    machine = machine_of(game)
    machine.core.look(machine.core.initial())
    pass_number = machine.core.legal(1)[0]
    first = machine.number(0, ("leave", "a", "1"))
    assert first is not None
    words = machine.core.next([first, pass_number])
    found = run(search_of(machine), words, 1, 100)
    assert (found.exact, found.worth) == (True, 0)
    assert found.move in machine_moves(machine, words, 1)
    assert found.depth > 2


def machine_moves(machine: GameMachine, words: list[int], role: int) -> list[int]:
    machine.core.look(words)
    return machine.core.legal(role)


def test_a_full_table_changes_no_value():
    machine = machine_of(Game(connect_four(5, 4)))
    for depth in (3, 6):
        values = {
            run(search_of(machine, megabytes=megabytes), machine.core.initial(), 0, depth).worth
            for megabytes in (0, 1, 64)
        }
        assert len(values) == 1


def test_a_signal_ends_a_search_without_limits():
    machine = machine_of(Game(connect_four(7, 6)))
    search, stop, found = search_of(machine), _core.StopSignal(), []

    def work() -> None:
        found.append(search.run(machine.core.initial(), 0, seconds=ENDLESS, nodes=MANY, depth=100, stop=stop))

    thread = Thread(target=work)
    thread.start()
    stop.set()
    thread.join()
    assert found[0].move >= 0


def test_limits_leave_a_legal_move():
    machine = machine_of(Game(connect_four(7, 6)))
    for nodes in (0, 1, 5, 100):
        found = run(search_of(machine), machine.core.initial(), 0, 100, nodes)
        assert found.move in machine_moves(machine, machine.core.initial(), 0)
        assert found.nodes <= nodes


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


def test_ctrl_c_ends_a_search_without_limits():
    machine = machine_of(Game(connect_four(7, 6)))
    search = search_of(machine)
    with pytest.raises(KeyboardInterrupt), interrupted_after(0.1):
        run(search, machine.core.initial(), 0, 100)
    after = run(search, machine.core.initial(), 0, 2)
    assert after.move >= 0


def test_bad_calls_are_refused():
    machine = machine_of(game_of("nim"))
    search = search_of(machine)
    with pytest.raises(ValueError, match="no such role"):
        run(search, machine.core.initial(), 2, 1)
    with pytest.raises(ValueError, match="no state"):
        run(search, [1, 2, 3], 0, 1)
