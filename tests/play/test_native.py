"""Tests of the native steps of all games: each module must follow the protocol."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

import pytest

from hornbook.inputs.domains import domain_of
from hornbook.inputs.theories import load
from hornbook.play.native import NativeState, NoNativeError, native_of
from hornbook.theories.protocols.missing_member import MissingMemberError

ROOT = Path(__file__).parents[2]
NATIVE = sorted(path.parents[1].name for path in ROOT.glob("theories/*/native/module.cpp"))


@cache
def domain(name: str):
    return domain_of(load(ROOT / "theories" / name))


def plays_whole_games(name: str) -> bool:
    """Return whether the states of a domain are those of whole games.

    Boards of Go have no end, so `test_go.py` tests them.
    """
    try:
        return bool(domain(name).starts())
    except MissingMemberError:
        return False


GAMES = list(filter(plays_whole_games, NATIVE))


def test_there_are_games():
    assert {"chess", "othello"} <= set(GAMES)
    assert set(NATIVE) - set(GAMES) == {"go"}


@pytest.mark.parametrize("name", GAMES)
def test_a_native_step_plays_as_its_domain(name):
    game = domain(name)
    native, random = native_of(game), Random(1)
    assert native.PLAYERS in (1, 2)
    assert {name for name in vars(NativeState) if name[0] != "_"} - {
        "features",
        "conditions",
        "canonical",
    } <= set(dir(native.State))
    least, greatest = native.RANGE
    for beginning in game.starts():
        state = beginning
        found = native.State(game.write_line(state))
        for _ in range(20):
            turns = dict(game.turns(state))
            assert sorted(found.moves()) == sorted(turns)
            assert found.is_over == (not turns)
            assert least <= found.evaluation <= greatest
            # A search treats the least and the greatest value as certain.
            assert found.is_over or native.PLAYERS == 1 or least < found.evaluation < greatest
            assert found.perft(1) == len(turns)
            assert found.perft(2) == sum(found.after(move).perft(1) for move in turns)
            if not turns:
                break
            with pytest.raises(ValueError, match="the game is not over"):
                _ = found.outcome
            move = random.choice(sorted(turns))
            state, found = turns[move], found.after(move)
            again = native.State(game.write_line(state))
            assert (found, hash(found), str(found)) == (again, hash(again), game.write_line(state))


def lines_of(game, state, depth: int) -> int:
    """Return the number of lines of exactly `depth` moves, by the domain."""
    return 1 if depth == 0 else sum(lines_of(game, after, depth - 1) for _, after in game.turns(state))


@pytest.mark.deep
@pytest.mark.parametrize("name", GAMES)
def test_perft_near_the_end_counts_only_whole_lines(name):
    game, random = domain(name), Random(3)
    native, ends = native_of(game), 0
    for _ in range(40):
        states = game.random_game(random)
        state = states[max(0, len(states) - 1 - random.randrange(3))]
        for depth in (1, 2):
            assert native.State(game.write_line(state)).perft(depth) == lines_of(game, state, depth)
        ends += native.State(game.write_line(state)).is_over
    assert ends or name in ("abalone", "chess", "tiles")


@pytest.mark.parametrize("name", GAMES)
def test_what_is_no_move_and_no_state_is_refused(name):
    game = domain(name)
    native = native_of(game)
    with pytest.raises(ValueError, match="`nonsense` is no legal move"):
        native.State(game.write_line(game.starts()[0])).after("nonsense")
    with pytest.raises(ValueError, match="no moves or more"):
        native.State(game.write_line(game.starts()[0])).perft(-1)
    for text in ("", "nonsense", game.write_line(game.starts()[0]) + "?"):
        with pytest.raises(ValueError, match=r"\w"):
            native.State(text)


def test_a_game_without_one_is_reported():
    with pytest.raises(NoNativeError, match=r"`hornbook\.theories\.firm` has no compiled `_native`"):
        native_of(domain("firm"))
    with pytest.raises(NoNativeError, match=r"native/module\.cpp"):
        native_of(object())
