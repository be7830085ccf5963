"""`play`, `gtp`, `uci` and `tournament` on the command line."""

from __future__ import annotations

import io
import json

import chess.pgn
import pytest
from sgfmill import sgf

from hornbook.cli import main


def run(monkeypatch, capsys, typed: str, *arguments: str) -> tuple[int, str, str]:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    code = main(list(arguments))
    message = capsys.readouterr()
    return code, message.out, message.err


def test_a_game_of_chess_is_played_and_stored_as_pgn(monkeypatch, capsys, tmp_path):
    file = tmp_path / "game.pgn"
    typed = "e4\nundo\nd2d4\nNf3\nresign\n"
    code, out, _ = run(monkeypatch, capsys, typed, "play", "chess", "--depth", "1", "--save", str(file))
    assert code == 0
    assert out.count("black plays") == 3
    assert "0-1: white resigned" in out
    game = chess.pgn.read_game(io.StringIO(file.read_text(encoding="utf-8")))
    assert not game.errors
    moves = [move.uci() for move in game.mainline_moves()]
    assert (len(moves), moves[0], moves[2]) == (4, "d2d4", "g1f3")
    assert game.headers["Result"] == "0-1"


def test_a_game_of_go_of_two_persons_is_counted_and_stored_as_sgf(monkeypatch, capsys, tmp_path):
    file = tmp_path / "game.sgf"
    typed = "b2\na1\nb1\npass\npass\n"
    code, out, _ = run(
        monkeypatch, capsys, typed, "play", "go", "--side", "both", "--size", "3", "--save", str(file)
    )
    assert code == 0
    assert "0-1: play is over, by 6.5" in out
    game = sgf.Sgf_game.from_bytes(file.read_bytes())
    moves = [node.get_move() for node in game.get_main_sequence()[1:]]
    assert moves == [("b", (1, 1)), ("w", (0, 0)), ("b", (0, 1)), ("w", None), ("b", None)]
    assert game.get_komi() == 7.5


def test_wrong_lines_are_reported_and_the_game_goes_on(monkeypatch, capsys):
    typed = "nonsense\nundo\nsave\nmoves\nhelp\nquit\n"
    code, out, err = run(monkeypatch, capsys, typed, "play", "othello", "--depth", "1")
    assert code == 1
    assert "`nonsense` is no legal move" in err
    assert "no move was made yet" in err
    assert "`save` needs the name of a file" in err
    assert "d3 c4 f5 e6" in out


def test_hints_say_what_the_search_plays(monkeypatch, capsys):
    code, out, _ = run(
        monkeypatch, capsys, "hint\n", "play", "othello", "--size", "4", "--depth", "2", "--side", "both"
    )
    assert code == 0
    assert "no rules were given (--rules)" in out
    assert "the search plays" in out


def test_a_puzzle_is_solved_only_and_stored(monkeypatch, capsys, tmp_path):
    file, at = tmp_path / "solved.txt", ("--position", "1 4 2 3 0 5 6 7 8")
    typed = "3\nundo\n4\nhint\n1\n"
    code, out, _ = run(monkeypatch, capsys, typed, "play", "tiles", *at, "--save", str(file))
    assert code == 0
    beginning = "  a b c\n1 1 4 2\n2 3 . 5\n3 6 7 8\n"
    assert out.startswith(f"{beginning}  a b c\n1 1 4 2\n2 . 3 5\n3 6 7 8\n{beginning}")
    assert "the search plays 1, and expects 1\n" in out
    assert "3 6 7 8\nplay is over, after 2 moves\n" in out
    assert file.read_text(encoding="utf-8") == "1 4 2 / 3 0 5 / 6 7 8\n4 1\n"


def test_a_puzzle_too_hard_for_its_nodes_is_removed_on_with(monkeypatch, capsys):
    code, out, err = run(
        monkeypatch, capsys, "hint\nresign\n", "play", "tiles", "--size", "4", "--nodes", "9"
    )
    assert (code, err) == (0, "")
    assert "no way to the end was found with 9 nodes\nplayer resigned, after 0 moves\n" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["play", "tiles", "--side", "white"], "`white` is not a side; the sides are player, both"),
        (["search", "uci", "tiles"], "`tiles` is not a game of two players"),
        (["play", "firm"], "no compiled `_native`"),
        (["play", "chess", "--side", "green"], "`green` is not a side; the sides are white, black, both"),
        (["play", "othello", "--size", "5"], "no board of `othello` has 5 rows"),
        (["play", "chess", "--algorithm", "none"], "`none` is not a search algorithm"),
        (
            ["play", "chess", "--algorithm", "alpha-beta"],
            "`alpha-beta` searches to a fixed depth: give the depth",
        ),
        (["play", "checkers", "--algorithm", "uct-rave"], "moves are the same in all states"),
        (["play", "othello", "--algorithm", "mgss"], "`mgss` needs statistics of the game"),
        (["search", "gtp", "nothing"], "nothing"),
        (
            ["search", "tournament", "deepening", "ordered-alpha-beta", "--into", "x.jsonl"],
            "searches to a fixed depth",
        ),
        (
            ["search", "tournament", "deepening", "deepening", "--into", "x.jsonl", "--clock", "soon"],
            "`soon` is not a time",
        ),
        (
            ["search", "tournament", "deepening", "gtp:x", "--into", "x.jsonl", "--clock", "60+1"],
            "only whole seconds",
        ),
        (
            ["search", "tournament", "deepening", "gtp:x", "--into", "x.jsonl", "--clock", "0.5"],
            "only whole seconds",
        ),
        (
            [
                "search",
                "tournament",
                "deepening",
                "deepening",
                "--into",
                "x.jsonl",
                "--clock",
                "60",
                "--seconds",
                "1",
            ],
            "leave one out",
        ),
        (["search", "tournament", "deepening", "best", "--into", "x.jsonl"], "`best` is no player"),
        (
            ["search", "tournament", "deepening", "deepening", "--into", "x.jsonl", "--games", "3"],
            "the number must be even",
        ),
        (
            ["search", "tournament", "deepening", "deepening", "--into", "x.jsonl", "--sprt", "5"],
            "expected two numbers",
        ),
        (
            ["search", "tournament", "deepening", "deepening", "--into", "x.jsonl", "--sprt", "5,1"],
            "less than the second",
        ),
    ],
)
def test_what_cannot_be_played_is_reported(monkeypatch, capsys, tmp_path, arguments, message):
    monkeypatch.chdir(tmp_path)
    code, out, err = run(monkeypatch, capsys, "", *arguments)
    assert code != 0
    assert message in " ".join(f"{out}{err}".replace("│", " ").split())


def test_a_tournament_is_stored_resumed_and_reported(monkeypatch, capsys, tmp_path):
    file, picture = tmp_path / "games.jsonl", tmp_path / "points.svg"
    command = [
        "search",
        "tournament",
        "deepening",
        "alpha-beta",
        "--game",
        "othello",
        "--size",
        "4",
        "--depth",
        "2",
        "--into",
        str(file),
    ]
    code, out, _ = run(monkeypatch, capsys, "", *command, "--games", "2")
    assert code == 0
    assert "2 games: A won" in out
    assert "faults: none" in out
    before = file.read_text(encoding="utf-8")
    code, out, _ = run(monkeypatch, capsys, "", *command, "--games", "4", "--svg", str(picture), "--json")
    reported = json.loads(out)
    assert (code, reported["games"], reported["crashes"], reported["illegal moves"], reported["late"]) == (
        0,
        4,
        0,
        0,
        0,
    )
    assert reported["won"] + reported["drawn"] + reported["lost"] == 4
    assert file.read_text(encoding="utf-8").startswith(before)
    assert picture.read_text(encoding="utf-8").startswith("<svg")
    code, _, err = run(monkeypatch, capsys, "", *command, "--games", "4", "--seed", "2")
    assert code == 1
    assert "another tournament (seed differ)" in err


def test_searches_by_statistics_play(monkeypatch, capsys, tmp_path):
    file, games = tmp_path / "othello.json", tmp_path / "games.jsonl"
    run(monkeypatch, capsys, "", "gather", "othello", "--positions", "100", "--into", str(file))
    given = ("--statistics", str(file), "--nodes", "300")
    _, out, _ = run(
        monkeypatch, capsys, "", "tournament", "mgss", "multi-prob-cut", "--game", "othello",
        "--games", "2", "--into", str(games), *given,
    )  # fmt: skip
    assert "2 games: A won" in out
    assert "faults: none" in out
    code, out, _ = run(monkeypatch, capsys, "hint\n", "play", "othello", "--algorithm", "mgss", *given)
    assert code == 0
    assert "the search plays" in out
    _, _, err = run(
        monkeypatch, capsys, "", "play", "chess", "--algorithm", "mgss", "--statistics", str(file)
    )
    assert "these are statistics of `othello`" in err


def test_a_tournament_by_the_clock(monkeypatch, capsys, tmp_path):
    command = ["search", "tournament", "deepening", "deepening", "--game", "othello", "--size", "4", "--games", "2", "--clock", "5+0.01",
               "--into", str(tmp_path / "games.jsonl"), "--depth", "2"]  # fmt: skip
    code, out, _ = run(monkeypatch, capsys, "", *command)
    assert code == 0
    assert "clock: 5+0.01 seconds; who exceeded it by more than 0.01 lost" in out
    assert "faults: none" in out


def test_openings_of_a_file_are_played(monkeypatch, capsys, tmp_path):
    openings, file = tmp_path / "openings.txt", tmp_path / "games.jsonl"
    openings.write_text("a2 % as first\n\nb1 a1\n", encoding="utf-8")
    command = ["search", "tournament", "deepening", "deepening", "--game", "othello", "--size", "4", "--depth", "1", "--games", "4",
               "--openings", str(openings), "--into", str(file)]  # fmt: skip
    code, _, _ = run(monkeypatch, capsys, "", *command)
    games = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()[1:]]
    assert code == 0
    assert [game["opening"] for game in games] == [["a2"], ["a2"], ["b1", "a1"], ["b1", "a1"]]
    openings.write_text("a2\nz9\n", encoding="utf-8")
    code, _, err = run(monkeypatch, capsys, "", *command)
    assert code == 2
    assert "openings.txt:2: `z9` is no legal move" in " ".join(err.replace("│", " ").split())
