"""Tests of all players: each move is legal, and bad calls are refused."""

from __future__ import annotations

import pytest

from hornbook.planner.gdl.game import Game
from hornbook.planner.players.player import PlayerSetting
from hornbook.planner.players.table import PLAYERS
from oracles.gdl.own_sheets import SHEETS

SECONDS = 0.05
GAMES = ("fists", "lights", "nim", "noughts_and_crosses")


def game_of(name: str) -> Game:
    return Game(SHEETS[name].read_text(encoding="utf-8"))


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("name", GAMES)
def test_every_move_of_a_match_is_legal(player, name):
    game = game_of(name)
    players = {role: PLAYERS[player](PlayerSetting(seed)) for seed, role in enumerate(game.roles)}
    for role, each in players.items():
        each.start(game, role, SECONDS)
    state = game.initial
    while not game.terminal(state):
        legal = game.legal(state)
        moves = {role: each.play(state, SECONDS) for role, each in players.items()}
        assert all(moves[role] in legal[role] for role in game.roles)
        state = game.next(state, moves)


@pytest.mark.parametrize("player", PLAYERS)
def test_a_stopped_player_still_plays_legal_moves(player):
    game = game_of("nim")
    each = PLAYERS[player](PlayerSetting())
    each.start(game, "first", SECONDS)
    each.stop()
    assert each.play(game.initial, 1e6) in game.legal(game.initial)["first"]


@pytest.mark.parametrize("player", PLAYERS)
def test_bad_calls_are_refused(player):
    each = PLAYERS[player](PlayerSetting())
    with pytest.raises(ValueError, match="has not started"):
        each.play(frozenset(), SECONDS)
    with pytest.raises(ValueError, match="no role `nobody`"):
        each.start(game_of("nim"), "nobody", SECONDS)
    game = game_of("stuck")
    each.start(game, game.roles[0], SECONDS)
    stuck = next(state for state in states_of(game) if not game.legal(state)[game.roles[0]])
    with pytest.raises(ValueError, match="no legal move"):
        each.play(stuck, SECONDS)


def states_of(game: Game):
    """Yield the states along the first moves, up to one without a joint move."""
    state = game.initial
    yield state
    while all(legal := game.legal(state).values()):
        state = game.next(state, dict(zip(game.roles, (moves[0] for moves in legal), strict=True)))
        yield state


def test_a_random_player_repeats_its_moves_with_its_seed():
    game = game_of("noughts_and_crosses")

    def moves(seed: int) -> list[object]:
        each = PLAYERS["random"](PlayerSetting(seed))
        each.start(game, "cross", SECONDS)
        return [each.play(game.initial, SECONDS) for _ in range(10)]

    assert moves(1) == moves(1)
    assert moves(1) != moves(2)
    assert len(set(moves(1))) > 2
