"""Tests of recursive searches.

They are compared with minimax, and with a definition that evaluates each call separately.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

import pytest

from hornbook.play.native import NativeState, native_of
from tests.play.test_searches import GAMES_OF_TWO, domain, minimax, walk
from tests.play.thinking.test_mgss import SPAN, Points, centred, statistics

KINDS = {"recursive": "depths", "iterative-expansion": "limits"}
MOST = 1_000_000
"""A number of nodes greater than any search by depth needs here."""


@dataclass
class Slow:
    """A search by definition: levels of (limit, cost, groups), with errors by the number of moves."""

    levels: list[tuple[int, float, list[tuple[float, float]]]]
    points: Points
    are_depths: bool
    most: int
    price: float
    """The price of a node when `most` nodes are spent."""

    price_now: float = 0.0
    nodes: int = 0
    expansions: int = 0

    def value(self, state: NativeState, limit: int, *, first: bool = False) -> int:
        before = self.nodes
        after = [state.after(move) for move in state.moves()]
        self.nodes += 1 + len(after)
        self.expansions += 1
        signs = [1 if each.to_move == state.to_move else -1 for each in after]
        values = [sign * each.evaluation for sign, each in zip(signs, after, strict=True)]

        def rest() -> int:
            return limit - (1 if self.are_depths else self.nodes - before)

        if len(after) == 1:
            ends = first or after[0].is_over or rest() <= 0 or self.nodes >= self.most
            return values[0] if ends else signs[0] * self.value(after[0], rest())
        levels = [0] * len(after)
        while self.nodes < self.most:
            if first:
                self.price_now = self.price * self.nodes / self.most
            worth = {
                place: self.gain(values, place, signs[place], each) / self.levels[levels[place]][1]
                for place, each in enumerate(after)
                if not each.is_over
                and levels[place] < len(self.levels)
                and self.levels[levels[place]][0] <= rest()
                for self.groups in [self.levels[levels[place]][2]]
            }
            place = max(worth, key=worth.__getitem__, default=None)
            if place is None or worth[place] <= self.price_now:
                break
            found = signs[place] * self.value(after[place], self.levels[levels[place]][0])
            if self.nodes < self.most:
                values[place] = found
                levels[place] += 1
        return max(values)

    def gain(self, values: list[int], place: int, sign: int, state: NativeState) -> float:
        """Return the expected best value afterwards, minus the value then of the current best move."""
        mean, deviation = self.groups[0 if len(state.moves()) <= 6 else 1]
        best = values.index(max(values))
        gain = 0.0
        for z, weight in self.points:
            then: list[float] = list(values)
            then[place] += sign * (mean + deviation * z)
            gain += weight * (max(then) - then[best])
        return gain


def given(kind: str, levels, points: Points, price: float = 0.0) -> dict[str, object]:
    errors = statistics(points, [])["errors"]
    rows = [(limit, cost, {**errors, "groups": groups}) for limit, cost, groups in levels]
    return {KINDS[kind]: rows, "price": price}


@pytest.mark.parametrize("name", GAMES_OF_TWO)
@pytest.mark.parametrize("kind", KINDS)
def test_it_decides_as_the_definition_does(name, kind):
    random, native = Random(f"{name} {kind}"), native_of(domain(name))
    spent = []
    for price in (0.0, 0.02, 0.2):  # per node
        state = random.choice([each for each in walk(name, random, 30, first=True) if len(each.moves()) > 1])
        limits = (1, 2) if kind == "recursive" else [len(state.moves()) * part for part in (1, 2, 4)]
        levels = [
            (
                limit,
                random.uniform(1, 9),
                [(random.uniform(-30, 30), random.uniform(50, 400)) for _ in range(2)],
            )
            for limit in limits
        ]
        points = centred(random)
        most = MOST if kind == "recursive" else 20 * len(state.moves())
        slow = Slow(levels, points, kind == "recursive", most, price * most)
        limit = most if kind != "recursive" else 3 if len(state.moves()) < 12 else 2
        value = slow.value(state, limit, first=True)
        search = native.search(kind, given(kind, levels, points, price * most))
        found = search(state, nodes=most, depth=limit if kind == "recursive" else None, trace=True)
        assert (found["value"], found["expansions"]) == (value, slow.expansions)
        assert found["expansions"] + found["evaluations"] == slow.nodes
        assert found["move"] == found["line"][0]
        assert all(gain > paid for *_, gain, paid in found["steps"])
        spent.append(len(found["steps"]))
    assert max(spent) > 2


@pytest.mark.parametrize("name", GAMES_OF_TWO)
def test_where_everything_may_change_everything_its_value_is_that_of_minimax(name):
    random, native = Random(name), native_of(domain(name))
    points = [(-SPAN * 7 / 8, 0.5), (SPAN * 7 / 8, 0.5)]
    levels = [(limit, 1.0, [(0.0, 1e6), (0.0, 1e6)]) for limit in (1, 2)]
    search = native.search("recursive", given("recursive", levels, points))
    for state in random.sample(walk(name, random, 40), 4):
        depth = 3 if len(state.moves()) < 12 else 2
        if len(state.moves()) > 1:
            found = search(state, nodes=MOST, depth=depth)
            assert (found["value"], found["why"]) == (minimax(state, depth), "depth")


def test_what_decides_itself_is_not_searched():
    native = native_of(domain("othello"))
    search = native.search(
        "recursive", given("recursive", [(1, 1.0, [(0.0, 9.0)] * 2)], [(-1.0, 0.5), (1.0, 0.5)])
    )
    forced = native.State("-OX-------------" + " X")
    assert (search(forced, nodes=99)["move"], search(forced, nodes=99)["why"]) == ("a1", "nothing to choose")
    over = forced.after("a1")
    assert (search(over, nodes=9)["move"], search(over, nodes=9)["why"]) == (None, "the game is over")


def test_levels_that_do_not_rise_are_refused():
    native = native_of(domain("othello"))
    points = [(-1.0, 0.5), (1.0, 0.5)]
    for levels in ([(2, 1.0), (2, 1.0)], [(1, 0.0)]):
        with pytest.raises(ValueError, match="a level costs something"):
            native.search(
                "recursive", given("recursive", [(*level, [(0.0, 1.0)] * 2) for level in levels], points)
            )
    with pytest.raises(ValueError, match="remembers no states"):
        native.search("recursive", given("recursive", [], points), lambda _: (None, None, None))
