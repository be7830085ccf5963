"""Tests of the Go Text Protocol as other programs use it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

from hornbook.commands.games.whole.game import whole_game
from hornbook.play.whole.clock import GameClock
from hornbook.play.whole.gtp_server import COMMANDS, GtpServer, answers
from oracles.go.gnugo_client import PROGRAM, GnuGo

REQUIRED = {
    "protocol_version", "name", "version", "known_command", "list_commands", "quit",
    "boardsize", "clear_board", "komi", "play", "genmove",
}  # fmt: skip


known_game = cache(whole_game)


def server(game: str = "go") -> GtpServer:
    known = known_game(game)
    return GtpServer(known.player(), known.domain, "1.0", {"depth": 1})


def messages(at: GtpServer, line: str) -> str:
    """Return the answer to a command that succeeds."""
    found = at.answer(line)
    assert found is not None
    assert found[0] == "=", found
    return found[1:].strip()


def test_all_that_the_protocol_requires_is_there():
    at = server()
    assert set(COMMANDS) >= REQUIRED
    assert messages(at, "protocol_version") == "2"
    assert set(messages(at, "list_commands").split()) == set(COMMANDS)
    assert messages(at, "known_command genmove") == "true"
    assert messages(at, "known_command nothing") == "false"
    assert at.answer("17 name") == "=17 Hornbook"
    assert at.answer("  # nothing") is None
    assert at.answer("name\x07\x00\r") == "= Hornbook"
    assert at.answer("\tname # with a comment\r\n") == "= Hornbook"


def test_what_fails_says_so_and_changes_nothing():
    at = server()
    messages(at, "play b d4")
    before = at.game
    for line, answer in [
        ("3 nonsense", "?3 unknown command"),
        ("play w d4", "? illegal move"),
        ("play w z99", "? illegal move"),
        ("play green e5", "? syntax error: a colour is b, w, black or white"),
        ("play w", "? syntax error: a colour and a move are expected"),
        ("genmove", "? syntax error: a colour is expected"),
        ("boardsize 40", "? unacceptable size"),
        ("boardsize many", "? syntax error: a number is expected"),
        ("time_left b", "? syntax error: a number is expected"),
        ("time_left x 1 0", "? syntax error: a colour is b, w, black or white"),
        ("time_settings 1 2", "? syntax error: a number is expected"),
        ("time_settings -1 0 0", "? syntax error: no time is less than nothing"),
        ("boardsize nan", "? syntax error: a number is expected"),
        ("boardsize 9.5", "? syntax error: a whole number is expected"),
        ("komi inf", "? syntax error: a number is expected"),
    ]:
        assert at.answer(line) == answer
        assert at.game is before


def test_a_game_is_played_taken_back_and_counted():
    at = server()
    messages(at, "boardsize 3")
    messages(at, "komi 0.5")
    assert messages(at, "play black b2") == ""
    messages(at, "play black a2")  # white has not moved
    assert at.game.moves == ("b2", "a2")
    assert messages(at, "final_score") == "B+8.5"
    messages(at, "undo")
    assert at.game.moves == ("b2",)
    messages(at, "undo")
    assert at.answer("undo") == "? cannot undo"
    assert "3 . . .\n2 . . .\n1 . . ." in messages(at, "showboard")
    messages(at, "boardsize 5")
    messages(at, "clear_board")
    assert "komi: 0.5" in messages(at, "showboard")


@pytest.mark.parametrize("game", ["go", "othello"])
def test_moves_are_legal_until_the_game_ends(game):
    at, random = server(game), Random(game)
    if game == "go":
        messages(at, "boardsize 3")
    for ply in range(200):
        if at.game.state.is_over:
            break
        colour = "bw"[at.game.mover]
        if ply % 2:
            messages(at, f"play {colour} {random.choice(at.game.state.moves()).upper()}")
        else:
            before, move = at.game, messages(at, f"genmove {colour}")
            assert move.lower() in before.state.moves()
    assert at.game.ending is not None
    score = messages(at, "final_score")
    assert score == "0" or score[:2] in ("B+", "W+")
    assert (score[0] == "B") == (at.game.ending.points == 1)


def test_a_clock_says_how_long_a_move_takes():
    at = server()
    at.budget = {}
    messages(at, "time_settings 0 1 25")
    messages(at, "time_left b 1 25")
    assert messages(at, "genmove b").lower() in known_game("go").native.State(str(at.game.states[0])).moves()
    assert at.clocks["b"].to_go == 24
    assert 0.5 < at.clocks["b"].left < 1  # it counts its own time
    assert at.clocks["w"] == GameClock(1, 1, 25, 25)
    messages(at, "time_left w 30 0")
    assert at.clocks["w"] == GameClock(30, 1, 25, 0)
    messages(at, "time_settings 0 10 0")  # no limit
    assert at.clocks == {}


def test_lines_are_answered_until_quit():
    assert list(answers(server(), ["name\n", "\n", "1 quit\n", "name\n"])) == ["= Hornbook", "=1"]


# Positions set up by a controller


def stones(at: GtpServer, colour: str) -> set[str]:
    board = at.table.position(str(at.game.state))
    return {board.name(point) for point in board.points() if board.colours[point] == colour}


def test_undo_takes_back_one_stone_of_two_of_a_colour():
    at = server()
    messages(at, "play b c3")
    messages(at, "play b c4")
    messages(at, "undo")
    assert stones(at, "black") == {"c3"}
    messages(at, "undo")
    assert stones(at, "black") == set()
    assert at.answer("undo") == "? cannot undo"


def test_undo_restores_captured_stones_and_the_ko():
    at = server()
    for move in ("b b1", "b a2", "b b3", "w c1", "w d2", "w c3", "w b2", "b c2"):
        messages(at, f"play {move}")
    assert at.answer("play w b2") == "? illegal move"  # Black has just captured there
    messages(at, "undo")
    assert "b2" in stones(at, "white")
    messages(at, "play b c2")
    messages(at, "play b e5")
    messages(at, "play w b2")  # the ban lasts for one move
    assert "c2" not in stones(at, "black")


@pytest.mark.parametrize(
    "passes", [("b pass", "w pass"), ("b pass", "b pass"), ("b pass", "w pass", "b pass")]
)
def test_a_game_goes_on_after_two_passes(passes):
    at = server()
    messages(at, "play b c3")
    for each in passes:
        messages(at, f"play {each}")
    messages(at, "play w d4")
    messages(at, "play w e5")
    assert stones(at, "white") == {"d4", "e5"}
    assert messages(at, "genmove b").lower() in {"pass"} | stones(at, "black")


def test_genmove_answers_after_two_passes():
    at = server()
    for each in ("b c3", "w pass", "b pass"):
        messages(at, f"play {each}")
    before = len(at.history)
    assert messages(at, "genmove w")
    assert len(at.history) == before + 1


@pytest.mark.parametrize(("size", "stones", "points"), [
    (19, 2, "Q16 D4"), (19, 9, "Q16 D4 D16 Q4 D10 Q10 K4 K16 K10"), (9, 5, "G7 C3 C7 G3 E5"), (7, 4, "E5 C3 C5 E3"), (13, 6, "K10 D4 D10 K4 D7 K7"),
])  # fmt: skip
def test_a_fixed_handicap_stands_where_the_protocol_says(size, stones, points):
    at = server()
    messages(at, f"boardsize {size}")
    assert set(messages(at, f"fixed_handicap {stones}").split()) == set(points.split())
    assert "to play: white" in messages(at, "showboard")
    assert at.answer("undo") == "? cannot undo"
    messages(at, "clear_board")
    assert set(messages(at, f"place_free_handicap {stones}").split()) == set(points.split())


@pytest.mark.parametrize(("line", "answer"), [
    ("fixed_handicap 10", "? invalid number of stones"), ("fixed_handicap 1", "? invalid number of stones"),
    ("fixed_handicap", "? syntax error: a number is expected"), ("place_free_handicap 81", "? invalid number of stones"),
    ("set_free_handicap a1", "? bad vertex list"), ("set_free_handicap a1 a1", "? bad vertex list"),
    ("set_free_handicap a1 pass", "? bad vertex list"), ("set_free_handicap a1 z9", "? bad vertex list"),
])  # fmt: skip
def test_a_wrong_handicap_is_refused(line, answer):
    at = server()
    assert at.answer(line) == answer
    messages(at, "set_free_handicap a1 B2")
    assert stones(at, "black") == {"a1", "b2"}
    assert at.answer("fixed_handicap 2") == "? board not empty"


def test_a_handicap_keeps_the_komi():
    at = server()
    messages(at, "komi 0.5")
    messages(at, "fixed_handicap 2")
    assert messages(at, "final_score") == "B+80.5"


@pytest.mark.parametrize(("komi", "score"), [("6.3", "W+6.3"), ("0", "0"), ("-2.25", "B+2.25"), ("100000", "W+100000"), ("1e3", "W+1000")])  # fmt: skip
def test_any_komi_is_counted_exactly(komi, score):
    at = server()
    messages(at, f"komi {komi}")
    assert messages(at, "final_score") == score


def test_komi_between_two_moves_keeps_what_can_be_undone():
    at = server()
    messages(at, "play b c3")
    messages(at, "play b c4")
    messages(at, "komi 3.5")
    messages(at, "undo")
    assert stones(at, "black") == {"c3"}
    assert "komi: 3.5" in messages(at, "showboard")


def test_a_game_is_loaded_up_to_a_move(tmp_path):
    file = tmp_path / "game.sgf"
    file.write_text("(;GM[1]SZ[7]KM[3.5];B[cc];B[dd];W[];W[ee];B[ff])", encoding="utf-8")
    at = server()
    messages(at, f"loadsgf {file}")
    assert (stones(at, "black"), stones(at, "white")) == ({"c5", "d4", "f2"}, {"e3"})
    assert "komi: 3.5" in messages(at, "showboard")
    for left in ({"c5", "d4"}, {"c5", "d4"}, {"c5", "d4"}, {"c5"}, set()):
        messages(at, "undo")
        assert stones(at, "black") == left
    assert at.answer("undo") == "? cannot undo"
    for number, left in ((1, set()), (2, {"c5"}), (3, {"c5", "d4"}), (9, {"c5", "d4", "f2"})):
        messages(at, f"loadsgf {file} {number}")
        assert stones(at, "black") == left
    messages(at, "clear_board")
    assert "7 . . . . . . ." in messages(at, "showboard")


@pytest.mark.parametrize(("text", "why"), [
    (None, "there is no such file"), ("(;GM[2])", "this is a game of Othello"), ("(;SZ[5];B[aa];W[aa])", ":1:15: node 2"), ("(;SZ[25])", "19 rows"),
])  # fmt: skip
def test_a_file_that_cannot_be_loaded_changes_nothing(tmp_path, text, why):
    file = tmp_path / "game.sgf"
    if text is not None:
        file.write_text(text, encoding="utf-8")
    at = server()
    messages(at, "play b c3")
    answer = at.answer(f"loadsgf {file}")
    assert answer.startswith("? cannot load file")
    assert why in answer
    assert "\n" not in answer
    assert stones(at, "black") == {"c3"}


def test_reg_genmove_plays_nothing():
    at = server()
    messages(at, "play b e5")
    before = at.game
    assert messages(at, "reg_genmove w").lower() in before.state.moves()
    assert messages(at, "reg_genmove b")
    assert at.game is before


def test_all_stones_on_the_board_are_alive():
    at = server()
    for each in ("b c3", "b c4", "w e5"):
        messages(at, f"play {each}")
    assert messages(at, "final_status_list alive") == "C3 C4\nE5"
    assert messages(at, "final_status_list dead") == ""
    assert at.answer("final_status_list living") == "? syntax error: a status is alive, dead or seki"


def test_othello_lets_nobody_move_out_of_turn():
    at = server("othello")
    assert at.answer("play w d3") == "? it is black's turn"
    assert at.answer("fixed_handicap 2") == "? board not empty"


def dialogue(random: Random) -> Iterator[str]:
    """Return commands that set up a 5 × 5 board, including illegal ones."""
    for _ in range(120):
        chance = random.random()
        colour, point = random.choice("bw"), f"{random.choice('ABCDE')}{random.randint(1, 5)}"
        yield "undo" if chance < 0.12 else f"play {colour} {'pass' if chance < 0.18 else point}"


@pytest.mark.judges
@pytest.mark.skipif(PROGRAM is None, reason="GNU Go is not installed")
@pytest.mark.parametrize("seed", range(6))
def test_boards_are_set_up_as_gnu_go_sets_them_up(seed):
    at = server()
    with GnuGo() as other:
        other.clear(5)
        messages(at, "boardsize 5")
        for line in dialogue(Random(seed)):
            try:
                other.ask(line)
                is_right = True
            except AssertionError:
                is_right = False
            assert at.answer(line)[0] == "?="[is_right], line
            for colour in ("black", "white"):
                assert stones(at, colour) == other.stones(colour), line


def test_a_new_game_has_the_time_that_was_set():
    at = server()
    messages(at, "time_settings 60 0 0")
    messages(at, "time_left b 5 0")
    messages(at, "clear_board")
    assert at.clocks == {"b": GameClock(60), "w": GameClock(60)}
    messages(at, "time_settings 0 1 0")
    messages(at, "clear_board")
    assert at.clocks == {}


def test_a_capture_by_a_colour_that_moves_again_can_be_undone():
    at = server()
    for move in ("w a1", "b a2", "b b1"):
        messages(at, f"play {move}")
    assert stones(at, "white") == set()
    messages(at, "undo")
    assert stones(at, "white") == {"a1"}


def test_chess_takes_a_move_out_of_turn_but_not_in_check():
    at = server("chess")
    messages(at, "play w e2e4")
    messages(at, "play w d1h5")
    messages(at, "play b g8f6")
    messages(at, "play w h5f7")
    assert at.answer("play w f7e8") == "? it is black's turn"
    messages(at, "undo")
    messages(at, "undo")
    assert at.game.moves == ("e2e4", "d1h5")


@pytest.mark.parametrize(("size", "points"), [(9, "C3 G7 C7"), (19, "D4 Q16 D16")])
def test_three_handicap_stones_leave_the_corner_that_the_protocol_leaves(size, points):
    at = server()
    messages(at, f"boardsize {size}")
    assert set(messages(at, "fixed_handicap 3").split()) == set(points.split())


@pytest.mark.parametrize("line", ["boardsize 1_9", "boardsize \u0669", "komi 1_0", "komi nan", "komi inf"])
def test_what_only_python_takes_for_a_number_is_refused(line):
    assert server().answer(line) == "? syntax error: a number is expected"


def test_a_time_without_measure_leaves_the_clock_in_order():
    at = server()
    messages(at, "time_settings 1e300 0 0")
    messages(at, "genmove b")
    messages(at, "time_settings 0.2 0 0")
    at.budget.clear()
    messages(at, "genmove w")
    assert at.watch.alarm._waiting.is_alive()
