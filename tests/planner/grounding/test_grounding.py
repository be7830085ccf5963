"""Ground programs against the slow twin, along random games."""

from random import Random

import pytest

from hornbook.planner.gdl.game import Game, program_of
from hornbook.planner.grounding.grounding import ground
from oracles.gdl.ground_game import GroundGame
from oracles.gdl.own_sheets import SHEETS

MOST_STATES = 60


@pytest.mark.parametrize("name", SHEETS)
def test_games_at_random_are_the_same(name):
    text = SHEETS[name].read_text(encoding="utf-8")
    twin, fast = Game(text), GroundGame(ground(program_of(text, name)))
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
