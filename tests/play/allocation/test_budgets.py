"""Tests of games on a clock: the share of time for each move, and a total that is not exceeded."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from benchmarks.games.clock import (
    NodeClock,
    WeightedPlayer,
    even,
    judged,
    match,
    opened,
    part,
    play,
    practised,
)
from hornbook.play.allocation.native import allocation_of
from hornbook.play.native import native_of
from hornbook.theories.checkers.domain import DOMAIN

ALLOCATION = allocation_of(DOMAIN)
MOVES = 40
OVER = 100
"""The greatest number of nodes that a search may spend beyond its limit."""


def test_even_parts_are_what_is_left_by_the_moves_left():
    left = 1200.0
    for move in range(1, MOVES + 1):
        spent = part(left, 1.0, even(MOVES).expected[move:])
        assert spent == pytest.approx(1200 / MOVES)
        left -= spent
    assert left == pytest.approx(0)


def test_expected_weights_that_come_true_spend_all_in_their_proportion():
    random = Random(1)
    weights = [random.choice((1.0, 4.0)) for _ in range(MOVES)]
    left = 1000.0
    spent = []
    for move, weight in enumerate(weights, 1):
        spent.append(part(left, weight, weights[move:]))
        left -= spent[-1]
    assert left == pytest.approx(0)
    for (one, other), (weight, next_weight) in zip(pairwise(spent), pairwise(weights), strict=True):
        assert other / one == pytest.approx(next_weight / weight)


@pytest.mark.parametrize("unit", ["nodes", "seconds"])
def test_no_side_spends_more_than_its_clock(unit):
    clock = NodeClock(4_000 if unit == "nodes" else 0.02, MOVES, unit)
    greedy = WeightedPlayer(lambda _, move, __: 100.0 if move < 4 else 1.0, [1.0] * MOVES)
    _, sides = play(opened(Random(2), 6), (greedy, even(MOVES)), clock)
    for side in sides:
        assert side.nodes > 0
        if unit == "nodes":  # seconds overrun on a busy machine
            assert side.nodes <= clock.whole + OVER
    first, other = (side.weights[0] for side in sides)
    assert (first[1], other[1]) == (100.0, 1.0)


def test_more_time_wins():
    # A player that expects very much of later moves spends almost nothing now.
    idle = WeightedPlayer(lambda _, __, ___: 1.0, [1e6] * MOVES)
    row = match("idle", idle, NodeClock(8_000, MOVES), 20, 6, 3)
    assert row.score < 0.3
    assert match("even", even(MOVES), NodeClock(2_000, MOVES), 8, 6, 3).score == 0.5


def test_practice_expects_the_weights_of_its_games():
    player = practised(lambda _, move, __: 3.0 if move <= 10 else 1.0, NodeClock(2_000, MOVES), 4, 4, 1)
    assert list(player.expected) == [3.0] * 10 + [1.0] * 30


def test_a_policy_decides_about_a_board_as_in_its_games():
    explored = ALLOCATION.explore(
        DOMAIN.write(DOMAIN.starts()[0]),
        ALLOCATION.Setting(moves=20, searches=20, shallow=1, deep=3),
        None,
        100,
        3,
    )
    policy, rows = explored.policy(1e-5, 200), explored.policy(1e-5, 200).rows
    boards = ALLOCATION.boards(
        DOMAIN.write(DOMAIN.starts()[0]), ALLOCATION.Setting(shallow=1, deep=3), 60, 3, 2
    )
    answers = set()
    for place, board in enumerate(boards.states()):
        for before in (False, True):
            features = [*boards.features(place)[: ALLOCATION.BY_HAND], 9, int(before)]
            node = 0
            while rows[node][0] >= 0:
                feature, threshold, below, above, *_ = rows[node]
                node = below if features[feature] <= threshold else above
            answers.add(policy.decides(board, 9, deep_before=before))
            assert policy.decides(board, 9, deep_before=before) == (rows[node][5] > 0)
    assert answers == {True, False}
    with pytest.raises(ValueError, match="no position of checkers"):
        policy.decides("nonsense", 1, deep_before=False)


@pytest.mark.parametrize(
    ("white", "black", "result"), [("21", "5,6,7,8,9", 1), ("K1,K2", "5,6", -1), ("21", "5,6", 0)]
)
def test_the_judge_counts_a_king_as_three(white, black, result):
    assert judged(native_of(DOMAIN).State(f"B:W{white}:B{black}")) == result
