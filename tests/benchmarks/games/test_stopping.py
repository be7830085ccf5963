"""Tests of the study of searches that stop by their own progress."""

from __future__ import annotations

from random import Random

import pytest

from benchmarks.games import stopping
from benchmarks.games.stopping import GAMES, GatheredDecision, StoppingValues, by_agreement, learned

NEVER = StoppingValues((), (-1.0,))
ALWAYS = StoppingValues((), (1.0,))


@pytest.mark.parametrize("name", sorted(GAMES))
def test_a_side_that_never_continues_spends_less_than_one_that_always_does(name):
    game = GAMES[name]
    state = stopping.opened(game, Random(3))
    outcome, (never, always) = stopping.play(game, state, (NEVER.rule, ALWAYS.rule), 6_000)
    assert outcome in (-1, 0, 1)
    assert never < always <= 6_000 * 1.05


def test_a_side_without_a_rule_spends_its_share():
    game = GAMES["checkers"]
    state = stopping.opened(game, Random(3))
    _, spent = stopping.play(game, state, (None, by_agreement), 6_000)
    assert all(1_000 < each <= 6_000 * 1.05 for each in spent)


def test_features_are_of_the_depths():
    depths = [("a", 5, 10), ("b", 7, 20), ("b", 4, 60), ("b", 4, 90)]
    found = stopping.DepthProgress(depths, 300, 8)
    assert found.features == (4, 3, 1, 0, 3, 8, 30, 150)


def test_values_are_those_of_the_best_later_depth_minus_the_price():
    """A second depth gains 1 for half a share if the first feature is 0, and otherwise nothing."""
    many = [
        GatheredDecision([(kind,), (kind,)], [0.5, 1.0], [0.0, 1.0 - kind])
        for kind in (0, 1)
        for _ in range(stopping.LEAST)
    ]
    values = learned(many, 0.4, 0)
    assert values.of((0,)) == pytest.approx(1 - 0.4 * 0.5)
    assert values.of((1,)) == pytest.approx(-0.4 * 0.5)


def test_values_learned_again_are_of_a_player_that_stops_by_them():
    """The last depth loses what the second one gains.

    The first player takes the better of both. The next one continues after the second depth only if that
    has a value.
    """
    many = [
        GatheredDecision([(0,), (1,), (2,)], [0.1, 0.2, 0.3], [0.0, 1.0, 0.5])
        for _ in range(3 * stopping.LEAST)
    ]
    for again in (0, 2):
        values = learned(many, 1.0, again)
        assert values.of((0,)) == pytest.approx(1 - 0.1)
        assert values.of((1,)) == pytest.approx(-0.5 - 0.1)


def test_gathered_decisions_value_each_move_by_the_last_depth():
    game = GAMES["othello"]
    (found,) = stopping.gathered(game, 1, 20_000, 5)
    assert len(found.features) == len(found.spent) == len(found.values)
    assert found.spent[-1] <= 4.2
    assert list(found.spent) == sorted(found.spent)
