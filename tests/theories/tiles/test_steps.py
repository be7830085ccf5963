"""Tests that sliding tiles have the same moves, ends and positions in theory, plain play and native step."""

from __future__ import annotations

from functools import cache
from itertools import islice
from random import Random

import pytest

from hornbook.play.native import native_of
from hornbook.theories.tiles import adapter
from hornbook.theories.tiles.domain import DOMAIN
from hornbook.theories.tiles.states import rules
from hornbook.theories.tiles.states.position import TilesPosition, goal
from oracles.games.steps import ComparedTheory, StepsTally, compare_native, named
from oracles.tiles.layers import layers


@cache
def theory() -> ComparedTheory:
    return ComparedTheory("tiles", DOMAIN, named(slide="legal"), "over")


def near(rows: int, columns: int) -> list[TilesPosition]:
    """Return at most 300 positions, beginning with those nearest to the end."""
    return [position for layer in islice(layers(rows, columns), 11) for position in layer][:300]


def test_there_are_as_many_positions_as_are_known():
    assert [len(layer) for layer in islice(layers(4, 4), 9)] == [1, 2, 4, 10, 24, 54, 107, 212, 446]
    small = list(layers(2, 3))
    assert (sum(map(len, small)), len(small) - 1) == (360, 21)


def test_what_differs_is_seen(monkeypatch):
    monkeypatch.setattr(rules, "movable_tiles", lambda _: [1])
    tally, state = StepsTally(), TilesPosition(2, 2, (1, 0, 2, 3))
    compare_native(DOMAIN, [state], tally)
    theory().compare(state, Random(1), tally)
    assert any(": moves: " in wrong for wrong in tally.wrong)
    assert any(": legal: " in wrong for wrong in tally.wrong)


def test_positions_that_no_slides_solve_are_known():
    """On 2 × 3 squares, the unsolvable positions are exactly those that search does not solve."""
    solvable = {position.tiles for layer in layers(2, 3) for position in layer}
    random = Random(2)
    for _ in range(200):
        tiles = tuple(random.sample(range(6), 6))
        assert rules.is_solvable(TilesPosition(2, 3, tiles)) == (tiles in solvable)
        if tiles not in solvable:
            with pytest.raises(ValueError, match="no slides solve"):
                native_of(DOMAIN).State(DOMAIN.write(TilesPosition(2, 3, tiles)))


def test_the_distance_is_no_more_than_the_slides_that_are_needed():
    for depth, layer in enumerate(islice(layers(3, 3), 12)):
        for position in layer:
            assert rules.distance(position) <= depth
            assert native_of(DOMAIN).State(DOMAIN.write(position)).evaluation == -rules.distance(position)


def test_lines_of_play():
    end = native_of(DOMAIN).State(DOMAIN.write(goal(3, 3)))
    assert (end.is_over, end.outcome, end.moves(), end.perft(3)) == (True, 0, [], 0)
    state = DOMAIN.starts()[0]
    assert native_of(DOMAIN).State(DOMAIN.write(state)).moves() == [
        DOMAIN.write_move(state, action) for action in adapter.actions(state)
    ]
