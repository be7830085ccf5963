"""Tests of the larger boards against OpenSpiel: moves, ends and results along random games."""

from __future__ import annotations

from random import Random

import pytest

from hornbook.planner.gdl.game import Game
from hornbook.planner.machines.choice import machine_of
from oracles.gdl.open_spiel_games import CONTESTS, joint_of, legal_in


@pytest.mark.parametrize("contest", CONTESTS, ids=lambda each: each.name)
def test_a_sheet_is_the_game_of_open_spiel(contest):
    pyspiel = pytest.importorskip("pyspiel")
    machine, random = machine_of(Game(contest.sheet)), Random(1)
    core = machine.core
    for _ in range(20):
        state, words = pyspiel.load_game(contest.name).new_initial_state(), core.initial()
        core.look(words)
        while not state.is_terminal():
            player = state.current_player()
            legal = legal_in(contest, machine, state)
            assert sorted(legal) == core.legal(player)
            assert len(core.legal(1 - player)) == 1
            assert not core.terminal()
            action = random.choice(sorted(legal.values()))
            words = core.next(joint_of(machine, player, legal, action))
            state.apply_action(action)
            core.look(words)
        assert core.terminal()
        for player, result in enumerate(state.returns()):
            assert core.goal(player) == 50 + 50 * ((result > 0) - (result < 0))
