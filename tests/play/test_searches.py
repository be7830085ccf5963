"""Tests of searches for all two-player games.

Exact searches must give the values of plain minimax over the native states.
"""

from __future__ import annotations

from itertools import pairwise
from random import Random
from threading import Timer

import pytest

from hornbook.play.native import NativeState, native_of
from tests.play.test_native import GAMES, domain

GAMES_OF_TWO = [name for name in GAMES if native_of(domain(name)).PLAYERS == 2]
EXACT = ("alpha-beta", "ordered-alpha-beta", "deepening")


def minimax(state: NativeState, depth: int) -> int:
    """Return the value of a state for the side to move, by definition."""
    if depth == 0 or state.is_over:
        return state.evaluation
    return max(
        value if after.to_move == state.to_move else -value
        for after in map(state.after, state.moves())
        for value in [minimax(after, depth - 1)]
    )


def walk(name: str, random: Random, most: int, *, first: bool = False) -> list[NativeState]:
    """Return the states of a random game of at most `most` moves.

    The game begins at a random position, or at the first one.
    """
    game = domain(name)
    starts = game.starts()
    state = native_of(game).State(game.write_line(starts[0] if first else random.choice(starts)))
    states = [state]
    while not state.is_over and len(states) <= most:
        state = state.after(random.choice(state.moves()))
        states.append(state)
    return states


@pytest.mark.parametrize("name", GAMES_OF_TWO)
@pytest.mark.parametrize("exact", EXACT)
def test_exact_searches_give_the_values_of_minimax(name, exact):
    random, native = Random(f"{name} {exact}"), native_of(domain(name))
    search = native.search(exact, {})  # one search for all states, since its table stays
    for _ in range(3):
        for state in random.sample(walk(name, random, 60), 4):
            count = len(state.moves())
            for depth in (1, 2, 3) if count < 12 else (1, 2) if count < 20 else (1,):
                found = search(state, depth=depth)
                assert found["value"] == minimax(state, depth), (str(state), depth)
                if state.is_over:
                    assert (found["move"], found["why"]) == (None, "the game is over")
                    continue
                assert found["move"] == found["line"][0]
                after = state.after(found["move"])
                value = minimax(after, depth - 1)
                assert found["value"] == (value if after.to_move == state.to_move else -value)


@pytest.mark.parametrize("name", GAMES_OF_TWO)
def test_the_line_of_alpha_beta_leads_to_its_value(name):
    native, random = native_of(domain(name)), Random(name)
    for state in random.sample(walk(name, random, 40), 5):
        found = native.search("ordered-alpha-beta", {})(state, depth=4)
        end = state
        for move in found["line"]:
            end = end.after(move)
        assert len(found["line"]) == 4 or end.is_over
        assert found["value"] == (end.evaluation if end.to_move == state.to_move else -end.evaluation)


@pytest.mark.parametrize("name", GAMES_OF_TWO)
def test_all_exact_searches_agree_far_from_the_beginning_of_thought(name):
    native, random = native_of(domain(name)), Random(name)
    searches = [native.search(exact, {}) for exact in EXACT]
    for state in random.sample(walk(name, random, 60), 4):
        depth = 5 if len(state.moves()) < 20 else 3
        assert len({search(state, depth=depth)["value"] for search in searches}) == 1


def test_a_table_that_is_stored_changes_no_value_in_a_game_that_is_played():
    native, random = native_of(domain("othello")), Random(4)
    stored = native.search("deepening", {})
    for state in walk("othello", random, 60):
        if not state.is_over:
            depth = random.choice((2, 4, 5))
            assert (
                stored(state, depth=depth)["value"]
                == native.search("alpha-beta", {})(state, depth=depth)["value"]
            )


def test_a_small_board_is_solved_and_says_so():
    native = native_of(domain("othello"))
    start = native.State(domain("othello").write(domain("othello").starts()[-1]))
    found = native.search("deepening", {})(start)
    assert (found["why"], found["value"]) == ("solved", -8 * native.EVALUATION_UNIT)  # white wins by 8
    deep = native.search("alpha-beta", {})(start, depth=20)
    assert (deep["why"], deep["value"]) == ("solved", found["value"])


@pytest.mark.parametrize("name", GAMES_OF_TWO)
def test_a_budget_of_nodes_is_stored_and_more_is_searched_deeper(name):
    native, random = native_of(domain(name)), Random(name)
    state = walk(name, random, 10, first=True)[-1]
    found = [native.search("deepening", {})(state, nodes=nodes) for nodes in (100, 1_000, 10_000)]
    for result, nodes in zip(found, (100, 1_000, 10_000), strict=True):
        assert result["why"] in ("nodes", "solved")
        assert result["expansions"] + result["evaluations"] <= nodes + 2 * len(state.moves()) + 100
    assert all(one["depth"] <= other["depth"] for one, other in pairwise(found))
    nothing = native.search("alpha-beta", {})(state, depth=10, nodes=5)
    assert (nothing["move"], nothing["why"]) == (None, "nodes")


@pytest.mark.parametrize("name", GAMES_OF_TWO)
def test_best_first_follows_its_line_until_the_budget_is_spent(name):
    native, random = native_of(domain(name)), Random(name)
    state = walk(name, random, 10, first=True)[-1]
    search = native.search("best-first", {})
    found = search(state, nodes=max(2_000, 500 * len(state.moves())))
    assert found["move"] == found["line"][0]
    assert found["why"] in ("nodes", "the expected line ends the game")
    assert 1 < len(found["line"]) <= found["depth"] + 1
    assert search(state, nodes=2)["value"] == minimax(state, 1)
    with pytest.raises(ValueError, match="needs a limit"):
        search(state)


def test_mirror_images_are_one_position():
    native, random = native_of(domain("othello")), Random(1)
    for state in walk("othello", random, 40):
        squares, turn = str(state).split()
        size = int(len(squares) ** 0.5)
        rows = [squares[row * size : (row + 1) * size] for row in range(size)]
        for image in (rows[::-1], [row[::-1] for row in rows], list(map("".join, zip(*rows, strict=True)))):
            mirrored = native.State(f"{''.join(image)} {turn}")
            assert mirrored.canonical == state.canonical
            assert sorted(str(mirrored.after(move).canonical) for move in mirrored.moves()) == sorted(
                str(state.after(move).canonical) for move in state.moves()
            )


def test_what_is_no_search_and_no_budget_is_refused():
    native = native_of(domain("othello"))
    state = walk("othello", Random(1), 3)[-1]
    with pytest.raises(ValueError, match="no search is named `nonsense`"):
        native.search("nonsense", {})
    for budget in ({"nodes": 0}, {"depth": 0}, {"seconds": 0.0}, {"share": 0.0}):
        with pytest.raises(ValueError, match="more than nothing"):
            native.search("deepening", {})(state, **budget)


def test_a_search_ends_where_another_thread_stops_it():
    native = native_of(domain("chess"))
    state, stop = native.State(domain("chess").write_line(domain("chess").starts()[0])), native.Stop()
    timer = Timer(0.05, stop.set)
    timer.start()
    found = native.search("deepening", {})(state, stop=stop)
    timer.join()
    assert found["why"] == "stopped"
    assert found["move"] in state.moves()
