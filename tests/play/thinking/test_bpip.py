"""Tests of BPIP: its distributions and leaf relevances, against enumeration of all leaf values."""

from __future__ import annotations

from itertools import pairwise, product
from math import prod
from random import Random

import pytest

from hornbook.play.native import native_of
from tests.play.test_searches import GAMES_OF_TWO, domain, minimax, walk
from tests.play.thinking.test_known import bounds_by_chance
from tests.play.thinking.test_mgss import centred, statistics

GROUPS = [(-30.0, 250.0), (55.0, 400.0)]
Points = list[tuple[float, float]]
Distribution = dict[float, float]


class Slow:
    """A tree by definition: each inner node enumerates every combination of its children's values."""

    def __init__(self, tree):
        self.tree = tree
        self.children = [[] for _ in tree]
        for place, (parent, *_) in enumerate(tree[1:], start=1):
            self.children[parent].append(place)
        self.leaves = [place for place, below in enumerate(self.children) if not below]
        self.found = [self.told(place) for place in range(len(tree))]
        for place in reversed(range(len(tree))):
            if self.children[place]:
                self.found[place] = self.combined(place, {})

    def told(self, place: int) -> Distribution:
        *_, values, chances, _ = self.tree[place]
        return dict(zip(values, chances, strict=True))

    def combined(self, place: int, changed: dict[int, Distribution]) -> Distribution:
        _, is_mine, (least, greatest), *_ = self.tree[place]
        found: Distribution = {None: 1.0}  # type: ignore[dict-item]  # before any child
        better = max if is_mine else min
        for child in self.children[place]:
            after: Distribution = {}
            below = changed.get(child, self.found[child])
            for (one, chance), (other, weight) in product(found.items(), below.items()):
                value = other if one is None else better(one, other)
                after[value] = after.get(value, 0.0) + chance * weight
            found = after
        stored: Distribution = {}
        for value, chance in found.items():
            bounded = value if place == 0 else min(max(value, least), greatest)
            stored[bounded] = stored.get(bounded, 0.0) + chance
        return stored

    def left(self, leaf: int = -1, value: float = 0.0) -> float:
        """Return the mean of the greatest value minus the greatest mean, if one leaf has a known value."""
        changed = {leaf: {value: 1.0}} if leaf >= 0 else {}
        place = leaf
        while place > 0:
            place = self.tree[place][0]
            changed[place] = self.combined(place, changed)
        mean = [
            sum(v * p for v, p in changed.get(each, self.found[each]).items())
            for each in [0, *self.children[0]]
        ]
        return mean[0] - max(mean[1:])


def parts(points: Points, count: int) -> list[float]:
    """Return the means of `count` equal parts of a distribution."""
    found = []
    for number in range(count):
        low, high, before, total = number / count, (number + 1) / count, 0.0, 0.0
        for z, weight in sorted(points):
            total += z * max(0.0, min(high, before + weight) - max(low, before))
            before += weight
        found.append(total * count)
    return found


@pytest.mark.parametrize("name", GAMES_OF_TWO)
@pytest.mark.parametrize("known", [None, bounds_by_chance], ids=["", "bounds"])
def test_distributions_and_relevance_are_those_of_the_definition(name, known):
    random, native = Random(f"{name} {known is None}"), native_of(domain(name))
    relevant = deep = 0
    for times in (2, 4, 5):
        states = [each for each in walk(name, random, 30, first=True) if len(each.moves()) > 1]
        state = random.choice(states)
        given = statistics(centred(random), GROUPS)
        tree, left = native.bpip_tree(state, times * len(state.moves()), given, known)
        slow = Slow(tree)
        for place in range(len(tree)):
            told = slow.told(place)
            for value in told.keys() | slow.found[place].keys():
                if place > 0:
                    assert told.get(value, 0.0) == pytest.approx(slow.found[place].get(value, 0.0), abs=1e-9)
        assert left == pytest.approx(slow.left(), abs=1e-6)
        deep += sum(bool(slow.children[child]) for child in slow.children[0])
        most = sorted(slow.leaves, key=lambda leaf: tree[leaf][-1])[-2:]
        for leaf in {*most, *random.sample(slow.leaves, 8 if len(slow.leaves) in range(8, 60) else 1)}:
            steps = sum(p * abs(slow.left(leaf, v) - left) for v, p in slow.found[leaf].items())
            assert tree[leaf][-1] == pytest.approx(steps, abs=1e-6)
            relevant += steps > 1e-6
        for place, below in enumerate(slow.children):
            assert not below or tree[place][-1] == 0
    assert relevant > 3
    assert deep > 0


def test_a_leaf_has_the_means_of_equal_parts_of_its_error():
    native, random = native_of(domain("othello")), Random(5)
    for _ in range(5):
        points = centred(random)
        assert sum(weight for _, weight in points) == pytest.approx(1)
        state = walk("othello", random, 9, first=True)[-1]
        tree, _ = native.bpip_tree(state, 2, statistics(points, GROUPS))
        for node, after in zip(tree[1:], map(state.after, state.moves()), strict=True):
            mean, deviation = GROUPS[after.conditions[1] > 6]
            sign = 1 if after.to_move == state.to_move else -1
            expected = sorted(sign * (after.evaluation + mean + deviation * z) for z in parts(points, 5))
            told = [v for v, p in zip(*node[3:5], strict=True) for _ in range(round(5 * p))]
            assert told == pytest.approx(expected)
            assert prod(node[4]) > 0
            assert sum(node[4]) == pytest.approx(1)


@pytest.mark.parametrize("name", GAMES_OF_TWO)
def test_it_stops_where_all_that_is_left_is_worth_less_than_the_price(name):
    random, native = Random(name), native_of(domain(name))
    given = statistics(centred(random), GROUPS)
    state = next(each for each in reversed(walk(name, random, 12, first=True)) if len(each.moves()) > 3)
    whole = native.search("bpip", given)(state, nodes=1_500, trace=True)
    assert whole["move"] == whole["line"][0]
    assert whole["why"] == "nodes"
    for (nodes, line, _, left, price), (more, *_) in pairwise(whole["steps"]):
        assert nodes < more
        assert line[0] in state.moves()
        assert left > price == 0
    dear = native.search("bpip", {**given, "price": 1e6})(state, nodes=1_500)
    assert dear["why"] == "nothing is worth its cost"
    assert dear["expansions"] == 1
    assert native.search("bpip", given)(state, nodes=1_500, depth=2)["depth"] == 2
    with pytest.raises(ValueError, match="needs a limit"):
        native.search("bpip", given)(state)


def test_what_decides_itself_is_not_searched():
    native, random = native_of(domain("othello")), Random(1)
    given = statistics([(-1.0, 0.5), (1.0, 0.5)], [(0.0, 100.0), (0.0, 100.0)])
    start = native.State(domain("othello").write_line(domain("othello").starts()[0]))
    found = native.search("bpip", {**given, "all": False})(start, nodes=1_000)
    assert (found["why"], found["expansions"]) == ("nothing to choose", 1)
    over = native.State("-OX------------- X").after("a1")
    assert native.search("bpip", given)(over, nodes=9)["why"] == "the game is over"
    state = walk("othello", random, 12, first=True)[-1]
    exact = native.search("bpip", statistics([(-1.0, 0.5), (1.0, 0.5)], [(0.0, 0.0), (0.0, 0.0)]))
    assert exact(state, nodes=500)["expansions"] == 1
    assert exact(state, nodes=500)["value"] == minimax(state, 1)
