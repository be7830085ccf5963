"""Tests of sampled trees: their choices converge to minimax, and each sample follows the formulas."""

from __future__ import annotations

from itertools import pairwise
from math import log, sqrt
from random import Random

import pytest

from hornbook.play.native import native_of
from tests.play.test_searches import GAMES_OF_TWO, domain, minimax, walk

SAMPLED = ("uct", "uct-rave")
BY_SQUARES = "othello"
"""A game whose moves are squares, as RAVE requires."""


def sign(value: int) -> int:
    return (value > 0) - (value < 0)


def for_mover(state, after, value: int) -> int:
    return value if after.to_move == state.to_move else -value


@pytest.mark.parametrize("search", SAMPLED)
def test_with_samples_enough_it_wins_what_minimax_wins(search):
    native, random = native_of(domain("othello")), Random(search)
    seen = set()
    for _ in range(12):
        states = walk("othello", random, 70)
        state = states[max(0, len(states) - 7)]
        if state.is_over:
            continue
        best = minimax(state, 9)
        found = native.search(search, {})(state, nodes=20_000)
        after = state.after(found["move"])
        assert sign(for_mover(state, after, minimax(after, 9))) == sign(best), str(state)
        seen.add(sign(best))
    assert {1, -1} <= seen


@pytest.mark.parametrize("name", GAMES_OF_TWO)
def test_each_game_of_two_is_sampled_within_its_budget_and_again_the_same(name):
    native, random = native_of(domain(name)), Random(name)
    state = walk(name, random, 8, first=True)[-1]
    search = native.search("uct", {})
    found = search(state, nodes=150)
    assert found["move"] in state.moves()
    assert found["move"] == found["line"][0]
    assert 150 <= found["expansions"] + found["evaluations"] <= 151
    assert native.RANGE[0] <= found["value"] <= native.RANGE[1]
    again = search(state, nodes=150)
    assert {**again, "seconds": 0} == {**found, "seconds": 0}
    one, same, other = (native.sampled_tree(state, 150, "uct", {"seed": seed}) for seed in (1, 1, 2))
    assert one == same != other
    assert search(state, nodes=1)["move"] in state.moves()
    with pytest.raises(ValueError, match="needs a limit"):
        search(state)


def test_who_has_won_is_not_sampled():
    native = native_of(domain("othello"))
    state = next(each for each in walk("othello", Random(2), 99) if each.is_over)
    found = native.search("uct", {})(state, nodes=5)
    assert (found["move"], found["why"], found["value"]) == (None, "the game is over", state.evaluation)


def test_rave_is_for_games_whose_moves_mean_the_same_everywhere():
    native = native_of(domain("checkers"))
    with pytest.raises(ValueError, match="moves are the same in all states"):
        native.search("uct-rave", {})


@pytest.mark.parametrize("search", SAMPLED)
def test_a_tree_counts_every_sample_on_its_way(search):
    native, random = native_of(domain(BY_SQUARES)), Random(search)
    for state in random.sample(walk(BY_SQUARES, random, 50)[:-6], 3):
        tree = native.sampled_tree(state, 400, search, {"before": 3})
        for place, (_, _, first, count, samples, won, *_) in enumerate(tree):
            below = tree[first : first + count]
            assert won <= 2 * samples
            assert all(parent == place for parent, *_ in below)
            own = samples - sum(each[4] for each in below)  # samples before its moves were listed
            assert own == (samples if count == 0 else 0 if place == 0 else 3)
            if search == "uct-rave":
                assert all(
                    each[6] >= each[4] and each[7] >= each[5] and each[7] <= 2 * each[6] for each in below
                )
            else:
                assert all((each[6], each[7]) == (0, 0) for each in below)


def urgency(name: str, each: tuple, player: int, total: int) -> float:
    """Return the bound of a root move by the definition of UCB1, with RAVE's weight by Gelly and Silver."""
    *_, samples, won, others, others_won = each
    part = lambda half, count: half / (2 * count) if player == 0 else 1 - half / (2 * count)  # noqa: E731
    if name == "uct":
        return part(won, samples) + 0.4 * sqrt(log(total) / samples)
    weight = sqrt(3000 / (3 * total + 3000))
    own = 0.0 if samples == 0 else part(won, samples)
    if others == 0:
        return own + 0.1 * sqrt(log(total) / samples)
    mean = (
        part(others_won, others) if samples == 0 else (1 - weight) * own + weight * part(others_won, others)
    )
    return mean + 0.1 * sqrt(log(total) / max(1, samples))


@pytest.mark.parametrize("search", SAMPLED)
def test_every_sample_goes_to_the_move_that_the_formula_names(search):
    native, random = native_of(domain(BY_SQUARES)), Random(search)
    compared = 0
    for state in random.sample(walk(BY_SQUARES, random, 50)[:-6], 2):
        player = state.to_move
        trees = [native.sampled_tree(state, nodes, search, {}) for nodes in range(60, 260)]
        for one, other in pairwise(trees):
            first, count = one[0][2:4]
            before, after = one[first : first + count], other[first : first + count]
            taken = [place for place in range(count) if before[place][4] != after[place][4]]
            if not taken or count < 2:
                continue
            assert len(taken) == 1
            if any(each[4] == 0 and each[6] == 0 for each in before):
                continue
            bounds = [urgency(search, each, player, one[0][4]) for each in before]
            assert bounds[taken[0]] >= max(bounds) - 1e-9
            compared += 1
    assert compared > 100
