"""Tests of Elo, its interval and the sequential test, against their definitions and simulated results."""

from __future__ import annotations

from math import inf
from random import Random

import pytest

from hornbook.play.tournament.strength import Sequential, elo, expected, strength


def test_elo_is_the_inverse_of_what_it_expects():
    for rating in (-400, -35.5, 0, 12, 191):
        assert elo(expected(rating)) == pytest.approx(rating)
    assert expected(400) == pytest.approx(10 / 11)
    assert (elo(0), elo(1)) == (-inf, inf)


def simulated(random: Random, chance: float, pairs: int) -> list[float]:
    return [sum(random.random() < chance for _ in range(2)) / 2 for _ in range(pairs)]


def test_the_interval_has_the_true_score_as_often_as_it_says():
    random = Random(1)
    for chance in (0.5, 0.62, 0.9):
        found = [strength(simulated(random, chance, 60)) for _ in range(400)]
        assert 0.92 < sum(each.low <= chance <= each.high for each in found) / 400 < 0.99
        assert all(0 <= each.low <= each.score <= each.high <= 1 for each in found)


def test_like_results_are_no_certainty():
    assert strength([1.0, 1.0, 1.0]).low < 0.8
    assert strength([0.5] * 3).high > 0.5


def test_the_sequential_test_errs_seldom_and_stops():
    random, test = Random(2), Sequential(0, 60)
    for rating, verdict in ((0, False), (60, True)):
        right = 0
        for _ in range(60):
            pairs: list[float] = []
            while test.verdict(pairs) is None and len(pairs) < 2000:
                pairs += simulated(random, expected(rating), 10)
            right += test.verdict(pairs) is verdict
        assert right >= 51
    assert test.verdict([]) is None
