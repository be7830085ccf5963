"""Tests of all players: each move is legal, and bad calls are refused."""

from __future__ import annotations

from threading import Thread

import pytest

from hornbook.planner.gdl.game import Game
from hornbook.planner.players.player import Player, PlayerSetting
from hornbook.planner.players.table import PLAYERS
from hornbook.planner.sequential.planner import plan
from oracles.gdl.connect_four import connect_four
from oracles.gdl.own_sheets import SHEETS

SECONDS = 0.05
GAMES = ("fists", "lights", "nim", "noughts_and_crosses")


def game_of(name: str) -> Game:
    return Game(SHEETS[name].read_text(encoding="utf-8"))


def names_for(game: Game) -> list[str]:
    """Return the names of the players that can play a game."""
    return [name for name in PLAYERS if name != "sequential" or len(game.roles) == 1]


@pytest.mark.parametrize(
    ("player", "name"), [(each, name) for name in GAMES for each in names_for(game_of(name))]
)
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


@pytest.mark.parametrize("player", names_for(game_of("lights")))
def test_a_signal_ends_the_thinking_for_good(player):
    game = game_of("lights") if player == "sequential" else Game(connect_four(7, 6))
    each, role, found = PLAYERS[player](PlayerSetting()), game.roles[0], []

    def work() -> None:
        each.start(game, role, 1e6)
        found.append(each.play(game.initial, 1e6))

    thread = Thread(target=work)
    thread.start()
    each.stop()
    thread.join()
    found.append(each.play(game.initial, 1e6))
    assert all(move in game.legal(game.initial)[role] for move in found)


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


@pytest.mark.parametrize("player", ["deliberation", "minimax", "bounded", "mcts", "solved"])
def test_a_won_game_is_won_against_random_moves(player):
    """Seconds do not matter, because the search ends with a proof."""
    game = game_of("nim")
    for seed in range(3):
        players = {
            "first": PLAYERS[player](PlayerSetting(seed)),
            "second": PLAYERS["random"](PlayerSetting(seed)),
        }
        assert result(game, players, 1e6)["first"] == (100,)


@pytest.mark.parametrize("player", ["deliberation", "minimax", "bounded", "sequential", "solved"])
@pytest.mark.parametrize("name", ["lights", "hanoi"])
def test_games_of_one_role_are_played_perfectly(player, name):
    game = game_of(name)
    best = plan(game).plan
    assert best is not None
    seconds = 1e6 if player in ("sequential", "solved") else 5
    assert result(game, {game.roles[0]: PLAYERS[player](PlayerSetting())}, seconds)[game.roles[0]] == (
        best.value,
    )


def result(game: Game, players: dict[str, Player], seconds: float) -> dict[str, tuple[int, ...]]:
    """Return the goal values at the end of a match."""
    for role, each in players.items():
        each.start(game, role, seconds)
    state = game.initial
    while not game.terminal(state):
        state = game.next(state, {role: each.play(state, seconds) for role, each in players.items()})
    return game.goal(state)


def test_a_sequential_player_plans_again_in_a_state_outside_of_its_plan():
    game = game_of("lights")
    each = PLAYERS["sequential"](PlayerSetting())
    each.start(game, game.roles[0], 1e6)
    first = each.play(game.initial, 1e6)
    other = next(move for move in game.legal(game.initial)[game.roles[0]] if move != first)
    state = game.next(game.initial, {game.roles[0]: other})
    assert each.play(state, 1e6) in game.legal(state)[game.roles[0]]


def test_a_sequential_player_refuses_games_of_several_roles():
    with pytest.raises(ValueError, match="the game has 2"):
        PLAYERS["sequential"](PlayerSetting()).start(game_of("nim"), "first", SECONDS)


def test_a_random_player_repeats_its_moves_with_its_seed():
    game = game_of("noughts_and_crosses")

    def moves(seed: int) -> list[object]:
        each = PLAYERS["random"](PlayerSetting(seed))
        each.start(game, "cross", SECONDS)
        return [each.play(game.initial, SECONDS) for _ in range(10)]

    assert moves(1) == moves(1)
    assert moves(1) != moves(2)
    assert len(set(moves(1))) > 2
