"""The Go Text Protocol, as other programs use it."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from hornbook.commands.games.whole.game import whole_game
from hornbook.play.whole.clock import Clock
from hornbook.play.whole.gtp_server import COMMANDS, GtpServer, answers

REQUIRED = {
    "protocol_version", "name", "version", "known_command", "list_commands", "quit",
    "boardsize", "clear_board", "komi", "play", "genmove",
}  # fmt: skip


known_game = cache(whole_game)


def server(game: str = "go") -> GtpServer:
    known = known_game(game)
    return GtpServer(known.player(), known.domain, "1.0", {"depth": 1})


def said(at: GtpServer, line: str) -> str:
    """What is answered to a command that does not fail."""
    found = at.answer(line)
    assert found is not None
    assert found[0] == "=", found
    return found[1:].strip()


def test_all_that_the_protocol_requires_is_there():
    at = server()
    assert set(COMMANDS) >= REQUIRED
    assert said(at, "protocol_version") == "2"
    assert set(said(at, "list_commands").split()) == set(COMMANDS)
    assert said(at, "known_command genmove") == "true"
    assert said(at, "known_command nothing") == "false"
    assert at.answer("17 name") == "=17 Hornbook"
    assert at.answer("  # nothing") is None
    assert at.answer("name\x07\x00\r") == "= Hornbook"
    assert at.answer("\tname # with a comment\r\n") == "= Hornbook"


def test_what_fails_says_so_and_changes_nothing():
    at = server()
    said(at, "play b d4")
    before = at.game
    for line, answer in [
        ("3 nonsense", "?3 unknown command"),
        ("play w d4", "? illegal move"),
        ("play w z99", "? illegal move"),
        ("play green e5", "? syntax error: a colour is b, w, black or white"),
        ("play w", "? syntax error: a colour and a move are wanted"),
        ("genmove", "? syntax error: a colour is wanted"),
        ("boardsize 40", "? unacceptable size"),
        ("boardsize many", "? syntax error: a number is wanted"),
        ("komi 1000000", "? komi is a number of half points, no more than the board has points"),
        ("time_left b", "? syntax error: a number is wanted"),
        ("time_left x 1 0", "? syntax error: a colour is b, w, black or white"),
        ("time_settings 1 2", "? syntax error: a number is wanted"),
        ("time_settings -1 0 0", "? syntax error: no time is less than nothing"),
        ("boardsize nan", "? syntax error: a number is wanted"),
        ("boardsize 9.5", "? syntax error: a whole number is wanted"),
        ("komi inf", "? syntax error: a number is wanted"),
    ]:
        assert at.answer(line) == answer
        assert at.game is before


def test_a_game_is_played_taken_back_and_counted():
    at = server()
    said(at, "boardsize 3")
    said(at, "komi 0.5")
    assert said(at, "play black b2") == ""
    said(at, "play black a2")  # white has passed
    assert at.game.moves == ("b2", "pass", "a2")
    assert said(at, "final_score") == "B+8.5"
    said(at, "undo")
    assert at.game.moves == ("b2", "pass")
    said(at, "undo")
    said(at, "undo")
    assert at.answer("undo") == "? cannot undo"
    assert "3 . . .\n2 . . .\n1 . . ." in said(at, "showboard")
    said(at, "boardsize 5")
    said(at, "clear_board")
    assert "komi" not in said(at, "showboard")


@pytest.mark.parametrize("game", ["go", "othello"])
def test_moves_are_legal_until_the_game_ends(game):
    at, random = server(game), Random(game)
    if game == "go":
        said(at, "boardsize 3")
    for ply in range(200):
        if at.game.state.is_over:
            break
        colour = "bw"[at.game.mover]
        if ply % 2:
            said(at, f"play {colour} {random.choice(at.game.state.moves()).upper()}")
        else:
            before, move = at.game, said(at, f"genmove {colour}")
            assert move.lower() in before.state.moves()
    assert at.game.ending is not None
    score = said(at, "final_score")
    assert score == "0" or score[:2] in ("B+", "W+")
    assert (score[0] == "B") == (at.game.ending.points == 1)


def test_a_clock_says_how_long_a_move_takes():
    at = server()
    at.budget = {}
    said(at, "time_settings 0 1 25")
    said(at, "time_left b 1 25")
    assert said(at, "genmove b").lower() in known_game("go").native.State(str(at.game.states[0])).moves()
    assert at.clocks["b"].to_go == 24
    assert 0.5 < at.clocks["b"].left < 1  # it counts what it took itself
    assert at.clocks["w"] == Clock(1, 1, 25, 25)
    said(at, "time_left w 30 0")
    assert at.clocks["w"] == Clock(30, 1, 25, 0)
    said(at, "time_settings 0 10 0")  # no limit
    assert at.clocks == {}


def test_lines_are_answered_until_quit():
    assert list(answers(server(), ["name\n", "\n", "1 quit\n", "name\n"])) == ["= Hornbook", "=1"]
