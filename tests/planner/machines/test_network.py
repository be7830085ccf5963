"""Tests of the network.

Games are compared with the reference interpreter, ground programs with plain evaluation.
"""

from __future__ import annotations

import signal
from array import array
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from random import Random

import pytest

from hornbook.matcher.program.coded import Limits
from hornbook.planner import _core
from hornbook.planner.gdl.game import Game, program_of
from hornbook.planner.grounding.grounding import ground
from hornbook.planner.machines.choice import machine_of
from hornbook.planner.machines.network import NetworkMachine
from hornbook.planner.machines.resolution import ResolutionMachine
from oracles.gdl.ground_game import GroundGame
from oracles.gdl.machine_game import MachineGame
from oracles.gdl.own_sheets import SHEETS
from oracles.gdl.prolog_game import SWIPL, PrologGame
from oracles.gdl.random_ground import random_ground_program
from oracles.gdl.side_by_side import TwinJudge, side_by_side

MOST_STATES = 60
PROGRAMS = 300
STATES = 12


def network_of(name: str) -> NetworkMachine:
    return NetworkMachine(ground(program_of(SHEETS[name].read_text(encoding="utf-8"), name)))


@pytest.mark.parametrize("name", SHEETS)
def test_games_at_random_are_the_twins(name):
    twin, machine, random = Game.read_kif(SHEETS[name]), network_of(name), Random(name)
    core = machine.core
    assert machine.roles == twin.roles
    for _ in range(3):
        state, words = twin.initial, core.initial()
        for _ in range(MOST_STATES):
            assert machine.state(words) == state
            assert machine.words(state) == words
            core.look(words)
            assert core.terminal() == twin.terminal(state)
            assert [core.goal(role) for role in range(core.role_count)] == [
                worths[0] if len(worths) == 1 else -1 for worths in twin.goal(state).values()
            ]
            legal = [core.legal(role) for role in range(core.role_count)]
            for role, moves in enumerate(legal):
                assert moves == sorted(moves)
                named = {machine.move(role, move) for move in moves}
                assert named == set(twin.legal(state)[twin.roles[role]])
                assert {machine.number(role, move) for move in named} == set(moves)
            if core.terminal() or not all(legal):
                break
            joint = [random.choice(moves) for moves in legal]
            done = {name: machine.move(role, joint[role]) for role, name in enumerate(twin.roles)}
            state, words = twin.next(state, done), core.next(joint)


@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_random_programs_have_their_models(seed):
    random = Random(seed)
    program = random_ground_program(random)
    plain, machine = GroundGame(program), NetworkMachine(program)
    core = machine.core
    assert machine.state(core.initial()) == plain.initial
    state = plain.initial
    states, joints = [], []
    for _ in range(STATES):
        # Usually few fluents differ from the previous state, as in a game.
        changed = random.sample(program.fluents, random.randint(0, min(len(program.fluents), 4)))
        state = state.symmetric_difference(changed) if random.random() < 0.8 else frozenset(changed)
        core.look(machine.words(state))
        queried = random.sample(("look", "goal", "next", "next"), random.randint(1, 4))
        for what in queried:
            if what == "look":
                assert core.terminal() == plain.terminal(state)
                legal = plain.legal(state)
                for role, name in enumerate(program.roles):
                    assert {machine.move(role, move) for move in core.legal(role)} == set(legal[name])
            elif what == "goal":
                assert [core.goal(role) for role in range(core.role_count)] == [
                    worths[0] if len(worths) == 1 else -1 for worths in plain.goal(state).values()
                ]
            else:
                joint = [random.randrange(len(moves)) for moves in program.moves]
                done = {name: machine.move(role, joint[role]) for role, name in enumerate(program.roles)}
                assert machine.state(core.next(joint)) == plain.next(state, done)
        states.append(state)
        joints.append([random.randrange(len(moves)) for moves in program.moves])
    words = [machine.words(state) for state in states]
    for state, (terminal, legal, goals) in zip(states, core.look_all(words), strict=True):
        assert terminal == plain.terminal(state)
        assert [{machine.move(role, move) for move in moves} for role, moves in enumerate(legal)] == [
            set(plain.legal(state)[name]) for name in program.roles
        ]
        assert goals == [worths[0] if len(worths) == 1 else -1 for worths in plain.goal(state).values()]
    for state, joint, after in zip(states, joints, core.next_all(words, joints), strict=True):
        done = {name: machine.move(role, joint[role]) for role, name in enumerate(program.roles)}
        assert machine.state(after) == plain.next(state, done)


@pytest.mark.parametrize("name", SHEETS)
def test_many_states_at_once_have_the_answers_of_each(name):
    core, random = network_of(name).core, Random(name)
    states, joints = [], []
    words = core.initial()
    # More states than one block has.
    while len(states) < 300:
        core.look(words)
        legal = [core.legal(role) for role in range(core.role_count)]
        if core.terminal() or not all(legal):
            words = core.initial()
            continue
        states.append(words)
        joints.append([random.choice(moves) for moves in legal])
        words = core.next(joints[-1])
    looks, afters = core.look_all(states), core.next_all(states, joints)
    assert len(looks) == len(afters) == 300
    for state, joint, look, after in zip(states, joints, looks, afters, strict=True):
        core.look(state)
        roles = range(core.role_count)
        assert look == (
            core.terminal(),
            [core.legal(role) for role in roles],
            [core.goal(role) for role in roles],
        )
        assert after == core.next(joint)


def test_the_fastest_machine_of_a_game_is_its_network_within_bounds():
    game = Game.read_kif(SHEETS["nim"])
    assert isinstance(machine_of(game), NetworkMachine)
    assert isinstance(machine_of(game, Limits(facts=20)), ResolutionMachine)


def test_a_machine_that_errs_is_found_next_to_the_twin(monkeypatch):
    twin = Game.read_kif(SHEETS["nim"])
    machine = MachineGame(network_of("nim"))
    right = side_by_side(machine, TwinJudge(twin), Random(1), games=2, most=20)
    assert right.difference is None
    assert right.states > 4
    monkeypatch.setattr(machine, "goal", lambda _: dict.fromkeys(twin.roles, (50,)))
    wrong = side_by_side(machine, TwinJudge(twin), Random(1), games=2, most=20)
    assert wrong.difference is not None
    assert wrong.difference.startswith("goal: ")


@pytest.mark.judges
@pytest.mark.skipif(SWIPL is None, reason="SWI-Prolog is not installed")
@pytest.mark.parametrize("name", ["graph", "nim"])
def test_games_at_random_are_those_of_prolog(name):
    text = SHEETS[name].read_text(encoding="utf-8")
    with PrologGame(text) as prolog:
        found = side_by_side(MachineGame(network_of(name)), prolog, Random(7), games=5, most=20)
    assert found.difference is None
    assert found.ended == 5


def test_no_atom_of_a_circle_holds_itself_up():
    # Rules: 4 if 5, and 5 if 4 or the fluent. Both hold with the fluent, and neither holds without it.
    program = replace(
        random_ground_program(Random(1)),
        roles=("one",),
        atoms=6,
        fluents=("f",),
        initial=(0,),
        next_atoms=array("i", [4]),
        moves=(("wait",),),
        does_atoms=(array("i", [1]),),
        legal_atoms=(array("i", [5]),),
        terminal=4,
        goals=((),),
        heads=array("i", [3, 4, 5, 5]),
        positive_starts=array("i", [0, 0, 1, 2, 3]),
        positive=array("i", [5, 0, 4]),
        negative_starts=array("i", [0, 0, 0, 0, 0]),
        negative=array("i", []),
        cycles=((4, 6),),
    )
    core = NetworkMachine(program).core
    reported = []
    for state in ([1], [0], [1]):
        core.look(state)
        reported.append((core.terminal(), core.legal(0), core.next([0])))
    assert reported == [(True, [0], [1]), (False, [], [0]), (True, [0], [1])]


def test_random_games_are_counted():
    machine = network_of("noughts_and_crosses")
    found = machine.core.playouts(seed=7, states=20_000, seconds=60.0, most_plies=1_000)
    # Games begin until then, and are played to their ends.
    assert 20_000 <= found.states < 24_000
    assert found.stuck == found.cut == 0
    # The first player wins 58.5% of random games, and 12.7% are drawn.
    assert [round(worth / found.games) for worth in found.worths] == pytest.approx([65, 35], abs=3)
    again = machine.core.playouts(seed=7, states=20_000, seconds=60.0, most_plies=1_000)
    assert (again.games, again.worths) == (found.games, found.worths)


def test_random_games_leave_the_machine_to_other_threads():
    core = network_of("noughts_and_crosses").core
    core.look(core.initial())
    queried = (2**62, 0.2, 1_000)
    with ThreadPoolExecutor(2) as threads:
        played = [threads.submit(core.playouts, seed, *queried) for seed in (1, 2)]
        while not all(game.done() for game in played):
            core.look(core.initial())
            assert len(core.legal(0)) == 9
    assert all(game.result().games > 10 for game in played)


def test_games_that_end_badly_are_reported_apart():
    found = network_of("stuck").core.playouts(seed=1, states=1_000, seconds=60.0, most_plies=1_000)
    assert found.stuck > 0
    short = network_of("hanoi").core.playouts(seed=1, states=1_000, seconds=60.0, most_plies=3)
    assert short.cut == short.games
    assert short.states == 4 * short.games >= 1_000


def test_words_that_are_no_state_and_moves_that_are_none_are_refused():
    machine = network_of("nim")
    core = machine.core
    for words in ([], [0, 0], [2**63]):
        with pytest.raises(ValueError, match="these words are no state"):
            core.look(words)
        with pytest.raises(ValueError, match="these words are no state"):
            core.look_all([core.initial(), words])
    for joint in ([0], [0, 13], [-1, 0]):
        with pytest.raises(ValueError, match="move"):
            core.next(joint)
        with pytest.raises(ValueError, match="move"):
            core.next_all([core.initial()], [joint])
    with pytest.raises(ValueError, match="a joint move for each state"):
        core.next_all([core.initial()], [])
    with pytest.raises(ValueError, match=r"`\(heap 1 77\)` is never true in this game"):
        machine.words(frozenset({("heap", "1", "77")}))


@pytest.mark.parametrize(
    "broken",
    [
        {"terminal": 10**6},
        {"next_atoms": array("i", [-1])},
        {"initial": (10**6,)},
        {"positive_starts": array("i", [0])},
        {"goals": ()},
    ],
    ids=lambda broken: next(iter(broken)),
)
def test_programs_that_break_their_promises_are_refused(broken):
    program = random_ground_program(Random(3))
    with pytest.raises(ValueError, match=r"."):
        _core.NetworkMachine(replace(program, **broken))


@pytest.mark.parametrize("seed", range(4))
def test_moves_that_all_fluents_ask_about(seed):
    """The network stores these moves in rows of their own.

    The game has two roles, fluents that persist, and fluents that a move prevents.
    """
    random = Random(seed)
    places, moves = range(100), ("left", "right", "stay")
    edges = " ".join(f"(edge {m} {x} {random.choice(places)})" for m in moves[:2] for x in places)
    sheet = f"""(role ann) (role ben) {edges} {" ".join(f"(init (at {x}))" for x in random.sample(places, 5))}
        (legal ann left) (legal ann right) (legal ben left) (legal ben stay) (init (lamp 0))
        (<= (next (at ?y)) (does ann ?m) (true (at ?x)) (edge ?m ?x ?y))
        (<= (next (at ?y)) (does ben left) (does ann right) (true (at ?x)) (edge left ?y ?x))
        (<= (next (seen ?x)) (true (at ?x)))
        (<= (next (seen ?x)) (true (seen ?x)) (does ben stay) (not (does ann left)))
        (<= (next (lamp ?x)) (true (at ?x)) (not (true (lamp ?x))) (does ann left))
        (<= terminal (true (at 99)) (true (seen 50)))
        (<= (goal ann 100) (true (at 7))) (<= (goal ann 0) (not (true (at 7)))) (goal ben 50)"""
    game = Game(sheet)
    machine = NetworkMachine(ground(game.program))
    found = side_by_side(MachineGame(machine), TwinJudge(game), random, 2, 1.0)
    assert found.difference is None
    assert found.states > 5


def test_signals_are_heard_while_a_network_is_made():
    words = " ".join(f"(word {number})" for number in range(20))
    sheet = f"""(role p) {words} (init (at 0)) (goal p 100)
        (<= (legal p (go ?a ?b ?c)) (word ?a) (word ?b) (word ?c) (true (at ?a)))
        (<= (next (at ?c)) (does p (go ?a ?b ?c)) (not (true (at ?b))))
        (<= terminal (true (at 1)))"""
    program = ground(Game(sheet).program)

    heard = []
    before = signal.signal(signal.SIGALRM, lambda *_: heard.append(True))
    signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
    try:
        NetworkMachine(program)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    # A deaf agent hears one signal after its end, and may have heard one before its start.
    assert len(heard) > 3
