"""Tests of searches with known bounds.

They are compared with the values of whole games, and gains with a slow definition.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from hashlib import sha256
from random import Random

import pytest

from hornbook.play.native import NativeState, native_of
from hornbook.play.thinking.proved import TRIED, ProvedWin, SelectiveProofs, known
from tests.play.test_searches import GAMES_OF_TWO, domain, minimax, walk
from tests.play.thinking.test_mgss import SPAN, Tree, centred, children_of, statistics

OTHELLO = native_of(domain("othello"))
GIVEN = statistics([(-SPAN / 2, 0.5), (SPAN / 2, 0.5)], [(0.0, 300.0), (0.0, 300.0)])
ASKING = ("deepening", "multi-prob-cut", "best-first", "mgss")


@cache
def whole(state: NativeState) -> int:
    """Return the value of a small board by a search to its end."""
    if state.is_over:
        return state.evaluation
    found = OTHELLO.search("deepening", {})(state)
    assert found["why"] == "solved"
    return found["value"]


def exactly(state: NativeState) -> tuple[int, int, None]:
    value = whole(state)
    return value, value, None


def who_wins(state: NativeState) -> ProvedWin | None:
    """Return the winner and the winning move for some states, like a rule."""
    value = whole(state)
    if value == 0 or sha256(str(state).encode()).digest()[0] % 3 == 0:
        return None
    if value < 0:
        return ProvedWin(1 - state.to_move, None, "")
    move = next((m for m in state.moves() for after in [state.after(m)] if _of(state, after) > 0), None)
    return ProvedWin(state.to_move, move, "")


def _of(state: NativeState, after: NativeState) -> int:
    value = whole(after)
    return value if after.to_move == state.to_move else -value


def small(number: int, seed: int) -> list[NativeState]:
    """Return unfinished states of 4 × 4 boards."""
    random = Random(seed)
    start = OTHELLO.State(domain("othello").write(domain("othello").starts()[-1]))
    found: list[NativeState] = []
    while len(found) < number:
        state = start
        for _ in range(random.randrange(2, 8)):
            if not state.is_over:
                state = state.after(random.choice(state.moves()))
        if not state.is_over and len(state.moves()) > 1:
            found.append(state)
    return found


def made(name: str, queried: object):
    given = {**GIVEN, "cuts": [], "margin": 1.4}
    return OTHELLO.search(name, given, queried, 0)


def test_deepening_takes_what_is_known_for_the_value():
    """Every state below the root is known, so the value at depth 3 is that of the whole game."""
    for state in small(12, 1):
        found = made("deepening", exactly)(state, depth=3)
        assert found["value"] == whole(state)
        assert found["asked"] > 1
        assert _of(state, state.after(found["move"])) == whole(state)


def test_who_wins_changes_no_value_of_a_whole_game():
    output = 0
    for state in small(20, 2):
        value, won = whole(state), who_wins(state)
        found = made("deepening", known(OTHELLO, who_wins))(state)
        if won is not None and won.move is not None:
            assert (found["move"], found["why"], found["expansions"]) == (won.move, "proved", 0)
            output += 1
        else:
            assert (found["why"], found["value"]) == ("solved", value)
    assert 3 < output < 18


@pytest.mark.parametrize("name", ASKING)
def test_a_move_that_wins_is_made_and_what_is_lost_is_seen(name):
    decided = 0
    for state in small(25, 3):
        won = who_wins(state)
        found = made(name, known(OTHELLO, who_wins))(state, nodes=400)
        if won is not None and won.move is not None:
            assert found["move"] == won.move
            assert found["value"] >= OTHELLO.EVALUATION_UNIT
            decided += 1
        assert found["move"] in state.moves()
    assert decided > 2


@pytest.mark.parametrize("name", ["best-first", "mgss"])
def test_trees_prefer_what_is_known_to_win(name):
    """The tree must not choose a worse move than the known best one.

    One move is known to win the whole game by most, and all expanded states are known.
    """
    for state in small(15, 4):
        found = made(name, exactly)(state, nodes=3_000)
        assert found["asked"] > 0
        if name == "best-first" and found["why"] == "the expected line ends the game":
            assert _of(state, state.after(found["move"])) == found["value"]


def bounds_by_chance(state: NativeState) -> tuple[int | None, int | None, None]:
    """Return bounds around the evaluation of some states: not true, but the same each time."""
    chance = sha256(str(state).encode()).digest()
    least = state.evaluation - 3 * chance[1] + 100 if chance[0] % 2 == 0 else None
    greatest = state.evaluation + 3 * chance[2] - 100 if chance[0] % 3 == 0 else None
    if least is not None and greatest is not None and least > greatest:
        least = greatest
    return least, greatest, None


def bounded_values(
    tree: Tree, children: list[list[int]], bounds: list[tuple[int, int]], changed: int, value: float
) -> list[float]:
    """Return the values of the root moves, with each node bounded and one leaf's value replaced."""

    def at(place: int) -> float:
        if not children[place]:
            return value if place == changed else tree[place][3]
        below = [at(child) for child in children[place]]
        least, greatest = bounds[place]
        return min(max(max(below) if tree[place][1] else min(below), least), greatest)

    return [at(child) for child in children[0]]


@pytest.mark.parametrize("name", GAMES_OF_TWO)
def test_gains_are_those_of_the_definition_where_values_are_bounded(name):
    random, native = Random(f"bounds {name}"), native_of(domain(name))
    relevant = bounded = 0
    for nodes in (40, 80, 120, 160, 200):
        points = centred(random)
        state = random.choice(walk(name, random, 30, first=True))
        if state.is_over:
            continue
        given = statistics(points, [(-30.0, 250.0), (55.0, 400.0)])
        tree, gains, _, bounds = native.mgss_tree(state, nodes, given, bounds_by_chance)
        children = children_of(tree)
        if len(children[0]) < 2:
            continue

        before = bounded_values(tree, children, bounds, -1, 0)
        best = before.index(max(before))
        for place, (_, is_mine, is_open, value, mean, deviation) in enumerate(tree):
            bounded += bounds[place] != (-(2**31) + 1, 2**31 - 1)
            if not is_open:
                assert gains[place] == 0
                continue
            expected = 0.0
            for z, weight in points:
                error = mean + deviation * z
                changed = value + (error if is_mine else -error)
                after = bounded_values(tree, children, bounds, place, changed)
                expected += weight * (max(after) - after[best])
            assert gains[place] == pytest.approx(expected, abs=1e-6)
            relevant += gains[place] > 0
    assert relevant > 1
    assert bounded > 2


def test_what_is_known_must_be_possible():
    state = small(1, 5)[0]
    for queried, message in (
        (lambda _: (3, 2, None), "contradicts itself"),
        (lambda _: (3, None, "z9"), "no legal move"),
    ):
        with pytest.raises(ValueError, match=message):
            OTHELLO.search("deepening", {}, queried)(state, depth=3)
    with pytest.raises(ZeroDivisionError):
        OTHELLO.search("deepening", {}, lambda _: 1 // 0)(state, depth=3)
    with pytest.raises(ValueError, match="asks nobody"):
        OTHELLO.search("alpha-beta", {}, exactly)


def test_without_anything_known_values_are_those_of_minimax():
    for state in small(5, 6):
        found = made("deepening", lambda _: (None, None, None))(state, depth=3)
        assert (found["value"], found["asked"] > 0) == (minimax(state, 3), True)


def test_rules_are_queried_no_more_where_they_say_nothing():
    random, queried = Random(7), Counter[bool]()

    def last(state: NativeState) -> ProvedWin | None:
        """Return the winner if one square is empty."""
        is_late = str(state).count("-") < 2
        queried[is_late] += 1
        return ProvedWin(state.to_move, None, "") if is_late else None

    where = SelectiveProofs(last)
    for _ in range(120):
        state = small(1, random.randrange(10**6))[0]
        while not state.is_over:
            assert (where(state) is not None) == (last(state) is not None)
            state = state.after(random.choice(state.moves()))
    others = sum(where.queries) - sum(where.successes)
    assert others <= TRIED * len(where.queries)
    assert 3 * others < queried[False]
    assert sum(where.successes) > 40
