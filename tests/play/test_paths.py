"""Tests of path searches on sliding tiles, against breadth-first search in plain Python."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from hornbook.play.native import NoNativeError
from hornbook.play.paths import PathResult, StateOfOne, native_of_one
from hornbook.theories.othello.domain import DOMAIN as OTHELLO
from hornbook.theories.tiles.domain import DOMAIN
from hornbook.theories.tiles.states import rules
from hornbook.theories.tiles.states.position import TilesPosition
from oracles.tiles.layers import layers

native = native_of_one(DOMAIN)


@cache
def sample() -> list[tuple[TilesPosition, int]]:
    """Return positions with their numbers of slides.

    They are all of 2 × 2, some of 2 × 3 and 3 × 2, and some of 3 × 3 near the end.
    """
    random = Random(1)
    found = []
    for rows, columns, most in ((2, 2, 9), (2, 3, 4), (3, 2, 4)):
        for depth, layer in enumerate(layers(rows, columns)):
            found += [(position, depth) for position in random.sample(layer, min(most, len(layer)))]
    for depth, layer in zip(range(16), layers(3, 3), strict=False):
        found += [(position, depth) for position in random.sample(layer, min(3, len(layer)))]
    return found


def state(position: TilesPosition) -> StateOfOne:
    return native.State(DOMAIN.write(position))


def length(position: TilesPosition, found: PathResult) -> int:
    """Return the number of slides of a path, after checking that it solves the puzzle."""
    assert found["is_found"]
    for move in found["moves"]:
        assert int(move) in rules.movable_tiles(position)
        assert not rules.is_solved(position)
        position = rules.slid(position, int(move))
    assert rules.is_solved(position)
    return len(found["moves"])


@pytest.mark.parametrize("bound", native.BOUNDS)
def test_bounds_are_no_more_than_is_needed_and_fall_by_one_at_most(bound):
    for position, depth in sample():
        here = state(position).bound(bound)
        assert rules.distance(position) <= here <= depth
        assert (here == 0) == (depth == 0)
        for tile in rules.movable_tiles(position):
            assert abs(state(rules.slid(position, tile)).bound(bound) - here) <= 1


@pytest.mark.parametrize("bound", native.BOUNDS)
def test_ida_star_finds_shortest_paths(bound):
    for position, depth in sample():
        assert length(position, state(position).ida_star(bound)) == depth


def test_a_table_of_all_tiles_says_what_is_needed():
    for position, depth in sample():
        if position.rows * position.columns < 9:
            assert state(position).bound("patterns") == depth


@pytest.mark.parametrize("weight", [1, 1.5, 5])
def test_weighted_a_star_keeps_to_its_weight(weight):
    for position, depth in sample():
        assert (
            depth <= length(position, state(position).weighted_a_star("distance", weight)) <= weight * depth
        )


@pytest.mark.parametrize("weight", [1, 2])
def test_real_time_a_star_comes_to_the_end(weight):
    for position, depth in sample():
        for ahead in (1, 4):
            assert length(position, state(position).rta_star("distance", ahead, weight)) >= depth


def test_real_time_a_star_that_looks_far_enough_is_shortest():
    for position, depth in sample():
        if depth <= 12:
            assert length(position, state(position).rta_star("linear conflicts", 13)) == depth


def test_decision_theoretic_a_star_comes_to_the_end():
    gathered = native.Gathered()
    for position, _ in sample():
        length(position, state(position).gather("distance", gathered, 2, 50))
    times = sum(row[2] for row in gathered.rows())
    for position, depth in sample():
        for cost in (0.1, 0.001):
            assert length(position, state(position).dta_star("distance", gathered, cost, 2, 16)) >= depth
            single = state(position).dta_star_by_single_steps("distance", [(2, 0.4)], cost)
            assert length(position, single) >= depth
    assert times > 200


def test_leaves_of_other_moves_are_expanded_where_they_may_fall():
    """Without falls, the search is the one by single steps. With falls it spends more and reaches the end."""
    rises, more = [(3.0, 0.3)], 0
    for position, depth in sample():
        for cost in (0.1, 0.001):
            single = state(position).dta_star_by_single_steps("distance", rises, cost, 2)
            assert state(position).dta_star_by_rises_and_falls("distance", rises, [], cost, 2) == single
            both = state(position).dta_star_by_rises_and_falls("distance", rises, [(1.0, 0.7)], cost, 2)
            assert length(position, both) >= depth
            more += both["nodes"] / len(both["moves"] or [0]) > single["nodes"] / len(single["moves"] or [0])
    assert more > 10


def test_decision_theoretic_a_star_that_always_goes_on_is_shortest():
    for position, depth in sample():
        if depth <= 12:
            found = state(position).gather("distance", native.Gathered(), 1, 100_000)
            assert length(position, found) == depth


def test_what_costs_more_is_searched_less():
    gathered = native.Gathered()
    positions = [position for position, depth in sample() if depth > 10]
    for position in positions:
        state(position).gather("distance", gathered, 2, 200)
    nodes = [
        sum(
            found["nodes"] / len(found["moves"])
            for found in (state(p).dta_star("distance", gathered, cost, 2, 4) for p in positions)
        )
        for cost in (10, 0.0001)
    ]
    assert nodes[0] < nodes[1]


def test_no_search_goes_on_beyond_its_nodes():
    start = state(DOMAIN.starts()[1])
    for found in (
        start.ida_star("distance", 1000),
        start.weighted_a_star("distance", 1, 1000),
        start.rta_star("distance", 10, most_nodes=1000),
        start.gather("distance", native.Gathered(), most_nodes=1000),
    ):
        assert not found["is_found"]
        assert 1000 <= found["nodes"] < 20_000
    assert len(start.rta_star("distance", 2, most_moves=7)["moves"]) == 7


def test_limits_that_are_none_are_refused():
    start = state(DOMAIN.starts()[0])
    for refused in (
        lambda: start.ida_star("none"),
        lambda: start.bound("none"),
        lambda: start.weighted_a_star("distance", 0.5),
        lambda: start.rta_star("distance", 0),
        lambda: start.gather("distance", native.Gathered(), 1, 0),
        lambda: start.dta_star("distance", native.Gathered(), -1),
    ):
        with pytest.raises(ValueError, match=r"\w"):
            refused()
    with pytest.raises(NoNativeError, match="a game of 2 players"):
        native_of_one(OTHELLO)
