"""Tests of searches by node limits.

The gain of searching a move is compared with its definition. The spending of nodes is checked too.
"""

from __future__ import annotations

from random import Random
from statistics import fmean

import pytest

from benchmarks.play.node_limits import LEVELS, NATIVE, START, ByLimits, NodeLimits, expected_gain


def test_a_gain_is_that_of_the_definition():
    random, gains = Random(1), 0
    for _ in range(500):
        values = [random.randrange(-6, 7) for _ in range(random.randrange(2, 6))]
        errors = [random.randrange(-9, 10) for _ in range(7)]
        move = random.randrange(len(values))
        best = values.index(max(values))
        changed = [
            [value + error * (place == move) for place, value in enumerate(values)] for error in errors
        ]
        gain = expected_gain(values, move, errors)
        assert gain == pytest.approx(fmean(max(after) - after[best] for after in changed))
        gains += gain > 0
    assert gains > 100


def test_nodes_are_spent_as_far_as_something_is_gained():
    state = NATIVE.State(START).after("d3").after("c3")
    limits = NodeLimits(50, 2)
    wide = ByLimits(limits, [[-2000, 2000]] * LEVELS)(state, nodes=4_000, share=0.5)
    assert wide["expansions"] + wide["evaluations"] >= 2_000
    none = ByLimits(limits, [[0]] * LEVELS)(state, nodes=4_000, share=0.5)
    moves = state.moves()
    worth = [state.after(move).evaluation for move in moves]
    assert (none["expansions"], none["evaluations"]) == (1, len(moves))
    assert none["move"] == moves[worth.index(min(worth))]
