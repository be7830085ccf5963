"""Tests of players: the search uses facts proved by rules, and a winning player does not go round in circles."""

from __future__ import annotations

from functools import cache

from hornbook.commands.games.whole.game import whole_game
from hornbook.play.whole.played import PlayedGame
from hornbook.play.whole.thinking import Guide, ProvedConclusion, SearchPlayer

known_game = cache(whole_game)
EYELESS = """to play: black
. . . . . . .
. X X X X X .
X O O O O O X
X . O . O . X
X O O O O O X
. X X X X X .
. . . . . . .
"""


def test_a_won_game_is_not_repeated():
    known = known_game("chess")
    game = PlayedGame.start(known.native, known.domain, "7k/8/8/8/8/8/R7/K7 w - - 0 1")
    for move in ("a2b2", "h8g8", "b2a2", "g8h8"):
        game = game.after(move)
    found = known.player().think(game, {"depth": 2})
    assert found.value > 0
    assert not game.repeats(found.move)


def test_the_third_time_and_too_few_men_are_draws():
    known = known_game("chess")
    game = PlayedGame.start(known.native, known.domain, "7k/8/8/8/8/8/R7/K7 w - - 0 1")
    assert game.ending is None
    for _ in range(2):
        for move in ("a2b2", "h8g8", "b2a2", "g8h8"):
            game = game.after(move)
    assert game.ending is not None
    assert (game.ending.points, game.ending.why) == (0.5, "the same position for the third time")
    bare = PlayedGame.start(known.native, known.domain, "7k/8/8/8/8/8/B7/K7 w - - 0 1")
    assert bare.ending is not None


def test_fifty_moves_without_progress_are_a_draw():
    known = known_game("chess")
    first, last = "7k/8/8/8/8/8/P7/K5R1 w - - 0 1", "7k/8/8/8/8/R7/P7/K7 w - - 0 1"
    between = [f"7k/8/8/8/8/8/P7/K5R1 b - - 0 {number}" for number in range(99)]
    assert known.domain.drawn([first, *between, last]) == "fifty moves without progress"
    assert known.domain.drawn([first, *between[1:], last]) is None
    assert known.domain.drawn([first.replace("/P7/", "/1P6/"), *between, last]) is None
    assert known.domain.drawn([first.replace("7k/8", "7k/2n5"), *between, last]) is None


def test_rules_are_queried_once_a_move_and_what_they_prove_is_reported_of_the_move():
    known = known_game("go")
    game = PlayedGame.start(known.native, known.domain, EYELESS)
    queried = []

    def advice(state):
        queried.append(str(state))
        return [
            ProvedConclusion("lost b5 by d4 on d4", "white is lost by d4", "d4"),
            ProvedConclusion("lost b5 by f4 on f4", "white is lost by f4", "f4"),
        ]

    guided = known.native.guided("deepening", leaves=True, order=True)
    player = SearchPlayer(known.native, guided, Guide(guided, advice))
    found = player.think(game, {"depth": 1})
    assert queried == [str(game.state)]
    assert guided.known == 3  # also proved wins after f4; d4 is illegal
    assert found.value > known.player().think(game, {"depth": 1}).value
    assert found.rules == tuple(each.description for each in advice(game.state) if each.move == found.move)


def test_little_time_static_gives_a_move():
    known = known_game("go")
    game = PlayedGame.start(known.native, known.domain, known.domain.beginning(19))
    assert known.player().think(game, {"nodes": 1}).move in game.state.moves()
