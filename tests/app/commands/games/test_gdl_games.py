"""Games in GDL in the playing commands: `play`, `search best-move`, `gtp`, `uci` and `tournament`."""

from __future__ import annotations

import io
import json
from random import Random

import pytest

from hornbook.cli import main
from oracles.gdl.own_sheets import SHEETS

AT = ("--position", "(has a 2) (has b 1) (has c 0) (turn first)")
"""A position of Nim that is won by leaving 1 of heap a, and lost by anything else."""
BOARD = "to move: {}\n  (turn {})\n  (has a {}) (has b {}) (has c 0)\n"


@pytest.fixture
def type_lines(monkeypatch, capsys):
    """Return a function that runs a command with typed lines, and returns its exit code and its output."""

    def typed(lines: str, *arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.stdin", io.StringIO(lines))
        capsys.readouterr()
        return main([*arguments]), *capsys.readouterr()

    return typed


def board(mover: str, a: int, b: int) -> str:
    return BOARD.format(mover, mover, a, b)


def test_a_person_plays_against_the_search(type_lines):
    code, out, err = type_lines("leave b 0\n", "play", "nim", *AT, "--depth", "5")
    assert (code, err) == (0, "")
    assert out.startswith(board("first", 2, 1) + "second plays leave(a,0) (looked ")
    assert out.endswith(
        board("first", 0, 0) + "0-1: play is over with the goals first 0, second 100, by 100\n"
    )


def test_two_persons_play_and_save_and_resume_a_game(type_lines, folder):
    typed = "(leave a 1)\nleave(a, 0)\nundo\nleave b 0\nsave game.txt\nleave a 0\n"
    code, out, _ = type_lines(typed, "play", "nim", *AT, "--side", "both", "--save", "end.txt")
    assert code == 0
    boards = [
        *(board("first", 2, 1), board("second", 1, 1), board("first", 0, 1), board("second", 1, 1)),
        board("first", 1, 0),
        "2 moves in game.txt\n",
        board("second", 0, 0),
        "1-0: play is over with the goals first 100, second 0, by 100\n",
        "3 moves in end.txt\n",
    ]
    assert out == "".join(boards)
    beginning = "(has a 2) (has b 1) (has c 0) (turn first)\n"
    assert (folder / "game.txt").read_text() == f"{beginning}leave(a,1) leave(b,0)\n*\n"
    assert (folder / "end.txt").read_text() == f"{beginning}leave(a,1) leave(b,0) leave(a,0)\n1-0\n"
    code, out, _ = type_lines("moves\nquit\n", "play", "nim", "--resume", "game.txt", "--side", "both")
    assert (code, out) == (0, f"{board('first', 1, 0)}leave(a,0)\n")


def test_hints_come_from_the_search(type_lines):
    code, out, _ = type_lines("hint\nresign\n", "play", "nim", *AT, "--depth", "5")
    assert code == 0
    assert "the search plays leave(a,1), and expects leave(a,1) " in out
    assert out.endswith("0-1: first resigned\n")


def test_wrong_lines_are_reported(type_lines):
    code, _, err = type_lines("leave a 2\nundo\nquit\n", "play", "nim", *AT)
    assert code == 1
    assert "`leave a 2` is no legal move" in err
    assert "no move was made yet" in err


def test_a_puzzle_is_solved(type_lines):
    code, out, _ = type_lines("hint\nswitch 1\nswitch 3\nswitch 5\n", "play", "lights")
    assert code == 0
    assert "the search plays switch(1), and expects switch(1) switch(3) switch(5)\n" in out
    assert out.endswith("play is over with the goals hand 100, after 3 moves\n")


def test_a_puzzle_without_a_way_is_left(type_lines):
    code, out, _ = type_lines("hint\n", "play", str(SHEETS["boxes"]), "--nodes", "1")
    assert code == 0
    assert "no way to the end was found within the limits" in out


@pytest.mark.parametrize("name", ["nim", "noughts_and_crosses", "graph", "pawns"])
def test_games_are_played_to_the_end(name, type_lines):
    """The search plays one side; the other side's moves are those of its hints."""
    sheet = str(SHEETS[name])
    lines = ""
    for _ in range(30):
        code, out, _ = type_lines(f"{lines}moves\n", "play", sheet, "--depth", "2")
        assert code == 0
        if "play is over" in out:
            return
        lines += f"{out.splitlines()[-1].split()[-1]}\n"
    pytest.fail("the game does not end")


def test_the_best_move_of_a_position(run):
    code, out, _ = run("search", "best-move", "nim", *AT, "--depth", "5")
    assert code == 0
    assert out.startswith("leave(a,1)  +100\nexpected: leave(a,1) ")
    assert out.rstrip().endswith("stopped: solved")
    code, out, _ = run("search", "best-move", "nim", *AT, "--nodes", "500", "--json")
    found = json.loads(out)
    assert (found["move"], found["value"], found["why"]) == ("leave(a,1)", 100, "solved")


def test_positions_are_read_from_files(run, folder):
    (folder / "position.txt").write_text(AT[1].replace(") (", ")\n("))
    assert run("search", "best-move", "nim", "--position", "position.txt", "--depth", "5")[0] == 0
    code, _, err = run("search", "best-move", "nim", "--position", "(has a x)", "--depth", "5")
    assert code == 1
    assert "HB010" in err
    assert run("search", "best-move", "nim", "--position", "none.txt", "--depth", "5")[0] == 2


def test_a_tournament_of_searches_and_a_program(run, folder):
    players = ("deepening", "alpha-beta")
    limits = ("--games", "4", "--depth", "3", "--nodes", "400", "--into", "games.jsonl")
    code, out, _ = run("search", "tournament", *players, "--game", "noughts_and_crosses", *limits)
    assert code == 0
    assert "4 games" in out
    assert "faults: none" in out
    head, *games = (folder / "games.jsonl").read_text().splitlines()
    assert len(games) == 4
    assert json.loads(head)["tournament"]["beginning"].startswith("(cell 1 1 blank)")
    assert all("play is over with the goals cross" in json.loads(game)["why"] for game in games)


def test_gtp(type_lines):
    arguments = ("search", "gtp", str(SHEETS["graph"]), "--depth", "4")
    code, out, _ = type_lines("genmove b\ngenmove w\nfinal_score\nquit\n", *arguments)
    assert code == 0
    assert out.count("= TAKE(") == 2
    lines = (
        "play b leave(a,0)\nplay b LEAVE(b,0)\nplay w LEAVE(b,0)\nfinal_score\n5 genmove black\n"
        "final_score\nundo\nundo\nshowboard\nquit\n"
    )
    code, out, _ = type_lines(lines, "search", "gtp", "nim", "--depth", "3")
    assert code == 0
    assert out.split("\n\n")[:9] == [
        *("=", "? it is second's turn", "=", "? cannot score", "=5 LEAVE(C,0)", "= B+100", "=", "="),
        "= \nto move: second\n  (turn second)\n  (has a 0) (has b 4) (has c 5)",
    ]


def test_uci(type_lines):
    lines = (
        "uci\nisready\nposition fen (has a 2) (has b 1) (has c 0) (turn first) moves leave(b,0)\n"
        "go depth 4\nposition startpos\ngo depth 2 searchmoves leave(a,0)\nquit\n"
    )
    code, out, _ = type_lines(lines, "search", "uci", "nim")
    assert code == 0
    found = [line.split()[1] for line in out.splitlines() if line.startswith("bestmove")]
    assert found == ["leave(a,0)", "leave(a,0)"]


def test_a_theory_made_of_a_sheet_is_played_too(run, type_lines, folder):
    assert run("game", "import", "nim", "--into", "heaps")[0] == 0
    code, out, _ = type_lines("leave b 0\n", "play", "heaps", *AT, "--depth", "5")
    assert code == 0
    assert "second plays leave(a,0)" in out
    assert "0-1: play is over with the goals first 0, second 100" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["play", str(SHEETS["fists"])], "ann and ben move at the same time"),
        (["search", "gtp", "lights"], "`lights` is not a game of two players; `hornbook play` solves"),
        (["play", "nim", "--rules", "rules.horn"], "`hornbook game import` makes a theory of it"),
        (["play", "nim", "--algorithm", "best-first"], "`best-first` needs a native step; this game is"),
        (["play", "nim", "--algorithm", "mgss"], "`mgss` needs a native step; this game is searched by"),
        (["search", "best-move", "nim", *AT, "--depth", "2", "--algorithm", "mgss"], "`mgss` needs a native"),
        (["play", "nim", "--size", "3"], "no board of `nim` has 3 rows"),
        (["play", "nim", "--side", "third"], "`third` is not a side; the sides are first, second, both"),
    ],
)
def test_the_message_names_the_reason_why_a_game_cannot_be_played(arguments, message, run):
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert message in " ".join(err.split())


@pytest.mark.parametrize("command", ["play", "gtp", "uci"])
@pytest.mark.parametrize("seed", range(6))
def test_changed_dialogues_give_no_traceback(command, seed, type_lines, folder):
    random = Random(f"{command} {seed}")
    name = random.choice(["nim", "noughts_and_crosses"])
    moves = ["leave a 1", "leave(b,0)", "put 2 2", "put(1,1)", "put(3,3)", "leave(c,4)", "noop", "pass"]
    words = {
        "play": ["hint", "undo", "board", "moves", "why", "help", "save x.txt", "save", *moves],
        "gtp": [f"play {c} {move}" for c in "bw" for move in moves]
        + [
            "genmove b",
            "genmove w",
            "undo",
            "showboard",
            "final_score",
            "komi 1",
            "boardsize 3",
            "clear_board",
        ]
        + ["time_left b 1 1", "loadsgf x", "fixed_handicap 2", "final_status_list alive", "reg_genmove b"],
        "uci": [f"position startpos moves {' '.join(random.sample(moves, 2))}" for _ in range(6)]
        + ["go depth 2", "go nodes 20", "go depth 1 searchmoves put(1,1)", "stop", "go infinite", "ponderhit"]
        + [
            "setoption name Hash value 3",
            "position fen (turn first)",
            "go movetime 5",
            "isready",
            "ucinewgame",
        ],
    }[command]
    lines = []
    for line in random.choices(words, k=40):
        changed = list(line)
        for _ in range(random.choice([0, 0, 1, 3])):
            place = random.randrange(len(changed) + 1)
            changed[place : place + random.randrange(2)] = random.choice(
                ["", "(", ")", " ", "?x", "\0", "é", "9"]
            )
        lines.append("".join(changed))
    arguments = ["play", name] if command == "play" else ["search", command, name]
    code, _, err = type_lines("\n".join([*lines, "quit"]), *arguments, "--depth", "1")
    assert code in (0, 1)
    assert "internal error" not in err
    assert "Traceback" not in err
