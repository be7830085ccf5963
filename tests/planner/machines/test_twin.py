"""Tests of the slow reference interpreter as a machine: its answers are those of the game."""

from __future__ import annotations

from random import Random

import pytest

from hornbook.planner import _core
from hornbook.planner.gdl.examples import FOLDER
from hornbook.planner.gdl.game import Game
from oracles.gdl.twin_machine import TwinMachine


@pytest.mark.parametrize("sheet", sorted(FOLDER.glob("*.kif")), ids=lambda path: path.stem)
def test_a_random_game_is_the_same_through_the_compiled_interface(sheet):
    game, random = Game.read_kif(sheet), Random(1)
    machine = TwinMachine(game)
    core = machine.core
    assert isinstance(core, _core.Machine)
    assert core.role_count == len(game.roles)
    words = core.initial()
    state = game.initial
    while True:
        assert machine.state(words) == state
        assert machine.words(state) == words
        core.look(words)
        assert core.terminal() == game.terminal(state)
        assert [core.goal(role) for role in range(len(game.roles))] == [
            worths[0] if len(worths) == 1 else -1 for worths in game.goal(state).values()
        ]
        if game.terminal(state):
            return
        legal = [core.legal(role) for role in range(len(game.roles))]
        for role, moves in enumerate(legal):
            assert moves == sorted(moves)
            named = {machine.move(role, move) for move in moves}
            assert named == set(game.legal(state)[game.roles[role]])
            assert {machine.number(role, move) for move in named} == set(moves)
        joint = [random.choice(moves) for moves in legal]
        moves = {name: machine.move(role, joint[role]) for role, name in enumerate(game.roles)}
        state = game.next(state, moves)
        words = core.next(joint)
