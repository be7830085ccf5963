"""Tests of deep-search policies learned from the results of games: their training data, and games with them."""

from __future__ import annotations

import signal
from functools import cache
from statistics import fmean

import pytest

from hornbook.play.allocation.native import allocation_of
from hornbook.theories.checkers.domain import DOMAIN

ALLOCATION = allocation_of(DOMAIN)
START = DOMAIN.write(DOMAIN.starts()[0])
SMALL = ALLOCATION.Setting(moves=20, searches=20, shallow=1, deep=3)
MOVE, BEFORE = ALLOCATION.BY_HAND, ALLOCATION.BY_HAND + 1
"""The features in addition to the hand-written ones."""


@cache
def explored():
    return ALLOCATION.explore(START, SMALL, None, 300, 3)


@cache
def decisions():
    return [explored().decision(place) for place in range(len(explored()))]


def played(tally) -> tuple[int, ...]:
    return tally.won, tally.lost, tally.drawn, tally.deep, tally.shallow_nodes, tally.deep_nodes


def test_lots_are_drawn_with_the_chances_that_are_reported():
    likely = [deep for _, deep, chance, _, _ in decisions() if chance == 0.75]
    assert len(likely) + sum(chance == 0.25 for _, _, chance, _, _ in decisions()) == len(decisions()) > 3000
    assert fmean(likely) == pytest.approx(0.75, abs=0.06)
    for (one, deep, *_, score), (other, _, chance, _, again) in zip(
        decisions(), decisions()[1:], strict=False
    ):
        if other[MOVE] > one[MOVE]:  # otherwise another game begins
            assert other[BEFORE] == deep == (chance == 0.75)
            assert score == again
    assert {score for *_, score in decisions()} == {0.0, 0.5, 1.0}


def test_deep_searches_take_more_nodes():
    deep, shallow = ([n for _, d, _, n, _ in decisions() if d == kind] for kind in (True, False))
    assert fmean(deep) > 3 * fmean(shallow) > 0


def test_one_leaf_is_worth_what_was_got_by_the_chances_of_getting_it():
    price = 1e-5
    got = [score - price * nodes for *_, nodes, score in decisions()]
    mean = fmean(got)
    gains = [
        (each - mean) / chance if deep else -(each - mean) / (1 - chance)
        for each, (_, deep, chance, *_) in zip(got, decisions(), strict=True)
    ]
    (leaf,) = explored().policy(price, len(decisions())).rows
    assert leaf[5] == pytest.approx(fmean(gains))
    rows = explored().policy(price, 200).rows
    assert len(rows) > 3
    assert min(row[4] for row in rows if row[0] < 0) * len(decisions()) >= 200


def test_a_price_decides_how_much_is_spent():
    dear, cheap = (
        ALLOCATION.play(START, SMALL, explored().policy(price, 200), 20, 5) for price in (1.0, -1.0)
    )
    assert dear.deep == 0
    assert cheap.deep == cheap.asked > 0


def test_a_policy_on_the_number_of_the_move_is_a_row_of_searches():
    leaves = [(-1, 0, 0, 0, 1.0, worth) for worth in (-1.0, 1.0)]
    row = ALLOCATION.Policy([(MOVE, 4, 1, 2, 1.0, 0.0), *leaves])
    assert played(ALLOCATION.play(START, SMALL, row, 12, 2)) == played(
        ALLOCATION.play(START, SMALL, "row", 5.0, 12, 2)
    )
    once = ALLOCATION.Policy([(BEFORE, 0, 2, 1, 1.0, 0.0), *leaves])
    tally = ALLOCATION.play(START, SMALL, once, 12, 2)
    assert 0 < tally.deep <= (tally.asked + 12) // 2 + 12


def test_exploring_around_a_policy_agrees_with_it_three_times_of_four():
    never = ALLOCATION.Policy([(-1, 0, 0, 0, 1.0, -1.0)])
    around = ALLOCATION.explore(START, SMALL, never, 60, 1)
    found = [around.decision(place) for place in range(len(around))]
    assert {chance for _, _, chance, _, _ in found} == {0.25}
    assert fmean(deep for _, deep, *_ in found) == pytest.approx(0.25, abs=0.06)


def test_what_is_wrong_is_refused():
    with pytest.raises(ValueError, match="no tree"):
        ALLOCATION.Policy([])
    with pytest.raises(ValueError, match="no tree"):
        ALLOCATION.Policy([(BEFORE + 1, 0, 1, 2, 1.0, 0.0), *[(-1, 0, 0, 0, 1.0, 0.0)] * 2])
    with pytest.raises(ValueError, match="no boards"):
        ALLOCATION.explore(START, SMALL, None, 0, 1).policy(1e-5, 10)
    with pytest.raises(IndexError, match="no such decision"):
        explored().decision(len(explored()))


@pytest.mark.parametrize(
    "long",
    [
        lambda: ALLOCATION.play(START, SMALL, "never", 0.0, 10**9, 1),
        lambda: ALLOCATION.explore(START, SMALL, None, 10**9, 1),
        lambda: ALLOCATION.boards(START, SMALL, 10**9, 3, 1),
    ],
    ids=["play", "explore", "boards"],
)
def test_ctrl_c_ends_games_at_once(long):
    def interrupt(*_) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    try:
        with pytest.raises(KeyboardInterrupt):
            long()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
