"""Tests of MGSS*: the expected gains of expansions, against the definition with all values backed up again."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import inf, prod
from random import Random

import pytest

from hornbook.play.native import NativeState, native_of
from tests.play.test_searches import GAMES_OF_TWO, domain, minimax, walk

STEPS, SPAN = 16, 4.0


def statistics(points: list[tuple[float, float]], groups: list[tuple[float, float]]) -> dict[str, object]:
    """Return error statistics with the given weights.

    They are exact, because E[(z - Z)+] has its corners at the grid points of a shape.
    """
    below = [
        sum(w * max(z - at, 0) for at, w in points)
        for z in (SPAN * (2 * step / STEPS - 1) for step in range(STEPS + 1))
    ]
    splits = [(1, 6, ~0, ~1)]  # by the number of moves
    return {
        "errors": {"splits": splits, "groups": groups, "shape": below, "span": SPAN},
        "price": 0.0,
        "all": True,
        "sets": False,
    }


def centred(random: Random) -> list[tuple[float, float]]:
    """Return a distribution with mean 0 on the grid of a shape: two points on each side, balanced."""
    low, high = (
        SPAN * (2 * random.randrange(1, 8) / STEPS - 1),
        SPAN * (2 * random.randrange(9, 16) / STEPS - 1),
    )
    far, near = (-SPAN * 0.875, SPAN * 0.25)
    part = random.uniform(0.2, 0.8)
    return [
        (low, part * high / (high - low)),
        (high, part * -low / (high - low)),
        (far, (1 - part) * near / (near - far)),
        (near, (1 - part) * -far / (near - far)),
    ]


Points = list[tuple[float, float]]
Tree = list[tuple[int, bool, bool, int, float, float]]


def children_of(tree: Tree) -> list[list[int]]:
    found: list[list[int]] = [[] for _ in tree]
    for place, (parent, *_) in enumerate(tree[1:], start=1):
        found[parent].append(place)
    return found


def root_values(tree: Tree, children: list[list[int]], changed: int, value: float) -> list[float]:
    """Return the values of the root moves, with one leaf's value replaced."""

    def at(place: int) -> float:
        if place == changed:
            return value
        if not children[place]:
            return tree[place][3]
        below = [at(child) for child in children[place]]
        return max(below) if tree[place][1] else min(below)

    return [at(child) for child in children[0]]


def expected_gain(
    tree: Tree, children: list[list[int]], leaf: int, points: list[tuple[float, float]]
) -> float:
    """Return the expected gain by equations 2 and 10.

    The gain is the best move's value after the expansion, minus the value then of the current best move.
    """
    before = root_values(tree, children, -1, 0)
    best = before.index(max(before))
    _, is_mine, _, value, mean, deviation = tree[leaf]
    gain = 0.0
    for z, weight in points:
        error = mean + deviation * z
        after = root_values(tree, children, leaf, value + (error if is_mine else -error))
        gain += weight * (max(after) - after[best])
    return gain


@pytest.mark.parametrize("name", GAMES_OF_TWO)
@pytest.mark.parametrize("ties", [False, True], ids=["", "ties"])
def test_gains_are_those_of_the_definition(name, ties):
    random, native = Random(f"{name} {ties}"), native_of(domain(name))
    relevant = 0
    for nodes in (20, 30, 60, 60, 120):
        points = centred(random)
        groups = [(0.0, 100.0), (0.0, 300.0)] if ties else [(-30.0, 250.0), (55.0, 400.0)]
        # Near the start many moves are equal by symmetry, and have the same value.
        state = random.choice(walk(name, random, 2 if ties else 30, first=True))
        if state.is_over:
            continue
        tree, gains, *_ = native.mgss_tree(state, nodes, statistics(points, groups))
        children = children_of(tree)
        if len(children[0]) < 2:
            continue
        for place, (_, is_mine, _, value, _, _) in enumerate(tree):
            if children[place]:
                below = [tree[child][3] for child in children[place]]
                assert value == (max(below) if is_mine else min(below))
        for place, node in enumerate(tree):
            if node[2]:
                assert gains[place] == pytest.approx(expected_gain(tree, children, place, points), abs=1e-6)
                relevant += gains[place] > 0
            else:
                assert gains[place] == 0
    assert relevant > 4


def test_a_leaf_without_gain_is_not_relevant_by_any_value():
    """If the second best keeps its value, nothing below can change the choice (theorems 1.1 and 2.1)."""
    random, native = Random(3), native_of(domain("othello"))
    for _ in range(4):
        points = [(-SPAN * 7 / 8, 0.5), (SPAN * 7 / 8, 0.5)]
        state = random.choice(walk("othello", random, 30, first=True))
        tree, gains, *_ = native.mgss_tree(state, 90, statistics(points, [(0.0, 1e6), (0.0, 1e6)]))
        children = children_of(tree)
        if len(children[0]) < 2:
            continue
        before = root_values(tree, children, -1, 0)
        best = before.index(max(before))
        for place, node in enumerate(tree):
            if node[2]:
                changes = any(
                    max(after) > after[best]
                    for value in (-inf, inf)
                    for after in [root_values(tree, children, place, value)]
                )
                assert changes == (gains[place] > 0)


@pytest.mark.parametrize("name", GAMES_OF_TWO)
def test_it_expands_what_gains_most_and_stops_where_the_price_is_higher(name):
    random, native = Random(name), native_of(domain(name))
    given = statistics(centred(random), [(-30.0, 250.0), (55.0, 400.0)])
    state = next(each for each in reversed(walk(name, random, 12, first=True)) if len(each.moves()) > 3)
    whole = native.search("mgss", given)(state, nodes=1_500, trace=True)
    for (nodes, line, _, gain, price), (more, *_) in pairwise(whole["steps"]):
        assert nodes < more
        assert line[0] in state.moves()
        assert gain > price == 0
    price = 2 * max(gain for *_, gain, _ in whole["steps"])  # stops at half of the budget at the latest
    dear = native.search("mgss", {**given, "price": price})(state, nodes=1_500, trace=True)
    assert dear["why"] == "nothing is worth its cost"
    steps = dear["steps"]
    assert 0 < len(steps) < len(whole["steps"])
    assert all(gain > price for *_, gain, price in steps)
    assert [price for *_, price in steps] == sorted(price for *_, price in steps)
    cheaper = native.search("mgss", {**given, "price": price})(state, nodes=1_500, share=0.1)
    assert cheaper["expansions"] < dear["expansions"]


def test_what_decides_itself_is_not_searched():
    native = native_of(domain("othello"))
    given = {**statistics([(-1.0, 0.5), (1.0, 0.5)], [(0.0, 100.0), (0.0, 100.0)])}
    search = native.search("mgss", {**given, "all": False})
    start = native.State(domain("othello").write_line(domain("othello").starts()[0]))
    found = search(start, nodes=1_000)  # four moves, equal by symmetry
    assert (found["why"], found["expansions"]) == ("nothing to choose", 1)
    assert native.search("mgss", given)(start, nodes=1_000)["expansions"] > 1
    forced = native.State("-OX-------------" + " X")
    assert forced.moves() == ["a1"]
    assert (search(forced, nodes=1_000)["move"], search(forced, nodes=1_000)["expansions"]) == ("a1", 1)
    over = forced.after("a1")
    assert over.is_over
    assert (search(over, nodes=9)["move"], search(over, nodes=9)["why"]) == (None, "the game is over")


def test_without_errors_nothing_is_worth_a_step():
    native, random = native_of(domain("othello")), Random(1)
    state: NativeState = walk("othello", random, 12, first=True)[-1]
    found = native.search("mgss", statistics([(-1.0, 0.5), (1.0, 0.5)], [(0.0, 0.0), (0.0, 0.0)]))(
        state, nodes=500
    )
    assert (found["expansions"], found["value"]) == (1, minimax(state, 1))


@pytest.mark.parametrize(
    ("errors", "message"),
    [
        ({"splits": [(99, 1, -1, -1)], "groups": [(0, 1)]}, "names no condition"),
        ({"splits": [(0, 1, 0, -1)], "groups": [(0, 1)]}, "leads back"),
        ({"splits": [(0, 1, -1, -2)], "groups": [(0, 1)]}, "or nowhere"),
        ({"splits": [], "groups": []}, "a group or more"),
        ({"splits": [], "groups": [(0, 1)], "shape": [0.0]}, "three values"),
    ],
)
def test_statistics_that_lead_nowhere_are_refused(errors, message):
    native = native_of(domain("othello"))
    given = {
        "errors": {"shape": [0.0, 0.5, 1.0], "span": 1.0, **errors},
        "price": 1.0,
        "all": False,
        "sets": False,
    }
    with pytest.raises(ValueError, match=message):
        native.search("mgss", given)


@dataclass(frozen=True)
class Plot:
    """A set of leaves that together move a node beyond a bound.

    It has their number, probability and distance, and the least likely leaf.
    """

    size: int
    chance: float
    beyond: float
    leaf: int
    chance_of_leaf: float

    @property
    def gain(self) -> float:
        return self.chance * self.beyond / self.size if self.size and self.chance > 1e-3 else 0.0


def plot(
    tree: Tree, children: list[list[int]], points: Points, place: int, against: int, *, falls: bool
) -> Plot:
    """Return the plot for a node, computed anew at every call."""
    _, is_mine, is_open, value, mean, deviation = tree[place]
    if value < against if falls else value > against:
        return Plot(0, 1.0, inf, 0, 1.0)
    if not children[place]:
        sign, side = (1 if is_mine else -1), (1 if falls else -1)
        ways = [
            (weight, side * (against - value - sign * (mean + deviation * z)))
            for z, weight in points
            if is_open
        ]
        chance = sum(weight for weight, far in ways if far > 0)
        gain = sum(weight * far for weight, far in ways if far > 0)
        return Plot(1, chance, gain / chance if chance else 0.0, place, chance)
    below = [plot(tree, children, points, child, against, falls=falls) for child in children[place]]
    if is_mine == falls:
        stored = [each for each in below if each.size]
        weakest = min(stored, key=lambda each: each.chance_of_leaf)
        return Plot(
            sum(each.size for each in stored),
            prod(each.chance for each in stored),
            min(each.beyond for each in stored),
            weakest.leaf,
            weakest.chance_of_leaf,
        )
    best = max(below, key=lambda each: each.gain)
    return best if best.gain > 0 else Plot(1, 0.0, inf, 0, 1.0)


def plots(tree: Tree, children: list[list[int]], points: Points) -> list[Plot]:
    """Return one plot per root move: the best falls below the second, or another rises above the best."""
    ranked = sorted(children[0], key=lambda child: -tree[child][3])
    best, second = ranked[0], tree[ranked[1]][3]
    return [
        plot(tree, children, points, child, second if child == best else tree[best][3], falls=child == best)
        for child in children[0]
    ]


@pytest.mark.parametrize("name", GAMES_OF_TWO)
def test_sets_of_leaves_are_worth_what_a_slow_reckoning_says(name):
    random, native = Random(f"sets {name}"), native_of(domain(name))
    found = 0
    for nodes in (40, 90, 150):
        points = centred(random)
        given = statistics(points, [(-30.5, 250.0), (55.5, 400.0)])
        state = random.choice(walk(name, random, 30, first=True))
        tree, _, (gain, leaf), _ = native.mgss_tree(state, nodes, {**given, "sets": True})
        children = children_of(tree)
        if len(children[0]) < 2:
            continue
        expected = max(plots(tree, children, points), key=lambda each: each.gain)
        assert gain == pytest.approx(expected.gain, rel=1e-6, abs=1e-9)
        if gain > 0:
            assert leaf == expected.leaf
        found += gain > 0
    assert found


def test_with_sets_search_goes_on_where_no_leaf_is_worth_anything_only():
    native, random = native_of(domain("othello")), Random(8)
    given = statistics(centred(random), [(-30.0, 250.0), (55.0, 400.0)])
    state = walk("othello", random, 20, first=True)[-1]
    only = native.search("mgss", given)(state, nodes=20_000)
    together = native.search("mgss", {**given, "sets": True})(state, nodes=20_000)
    assert only["why"] == "nothing is worth its cost"
    assert together["expansions"] > 2 * only["expansions"]


@pytest.mark.parametrize("sets", [False, True], ids=["", "sets"])
@pytest.mark.parametrize("name", GAMES_OF_TWO)
def test_with_a_price_it_decides_as_the_definition_does(name, sets):
    """Each step and the end are compared with the slow definition on the tree built by the earlier steps."""
    random, native = Random(f"price {name} {sets}"), native_of(domain(name))
    points, most = centred(random), 240
    given = {**statistics(points, [(-30.5, 250.0), (55.5, 400.0)]), "sets": sets}
    state = next(each for each in reversed(walk(name, random, 12, first=True)) if len(each.moves()) > 3)
    free = native.search("mgss", given)(state, nodes=most, trace=True)
    for part in (0.5, 2):  # with 2 it stops at half of the budget at the latest
        price = part * max(gain for *_, gain, _ in free["steps"])
        found = native.search("mgss", {**given, "price": price})(state, nodes=most, trace=True)
        before = len(state.moves()) + 2
        for nodes, _, _, gain, paid in [*found["steps"], (most, (), 0, 0.0, inf)]:
            if before >= most:
                break
            # A smaller budget with the same price per node.
            smaller = {**given, "price": price * before / most}
            tree, *_ = native.mgss_tree(state, before, smaller)
            children = children_of(tree)
            greatest = max(
                expected_gain(tree, children, place, points) if node[2] else 0.0
                for place, node in enumerate(tree)
            )
            if greatest <= price * before / most and sets:
                greatest = max(each.gain for each in plots(tree, children, points))
            if paid == inf:
                assert greatest <= price * before / most
            else:
                assert (gain, paid) == (pytest.approx(greatest), pytest.approx(price * before / most))
                assert gain > paid
            before = nodes
    assert found["why"] == "nothing is worth its cost"
