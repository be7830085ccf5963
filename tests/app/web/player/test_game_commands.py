"""`hornbook game serve` and `hornbook game manage`: their output and their mistakes."""

from __future__ import annotations

import json
import socket
from contextlib import closing

import pytest

from hornbook.planner.gdl.examples import FOLDER
from hornbook.planner.gdl.game import Game
from hornbook.planner.gdl.ground import text_of

CLOCKS = ("--start-clock", "600", "--play-clock", "600")


@pytest.fixture
def nobody():
    """Return the address of a port without a server."""
    with closing(socket.socket()) as bound:
        bound.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{bound.getsockname()[1]}"


def test_a_match_is_printed_step_by_step(run, folder, addresses):
    code, out, err = run("game", "manage", "noughts_and_crosses", *addresses, *CLOCKS)
    assert (code, err) == (0, "")
    *steps, end = out.splitlines()
    assert 5 <= len(steps) <= 9
    assert steps[0].startswith("1: cross (put ")
    assert steps[1].startswith("2: cross pass, nought (put ")
    assert end.startswith("over: cross ")


def test_a_match_as_json(run, folder, addresses):
    code, out, _ = run("game", "manage", "lights", addresses[0], "--plies", "3", "--json", *CLOCKS)
    assert code == 0
    found = json.loads(out)
    game = Game.read_kif(FOLDER / "lights.kif")
    assert found["players"] == {"hand": addresses[0]}
    assert (found["faults"], len(found["steps"])) == ([], 3)
    state = game.initial
    for moves in found["steps"]:
        (move,) = (move for move in game.legal(state)["hand"] if text_of(move) == moves["hand"])
        state = game.next(state, {"hand": move})
    assert found["state"] == sorted(map(text_of, state))
    assert found["goal"] == {"hand": list(game.goal(state)["hand"])}


def test_faults_are_printed_and_counted(run, folder, nobody):
    code, out, _ = run(
        "game", "manage", "nim", nobody, nobody.removeprefix("http://"), "--plies", "1", *CLOCKS
    )
    assert code == 0
    lines = out.splitlines()
    assert lines[:4] == [f"  {role}: not reachable" for role in ("first", "second")] * 2
    assert lines[4].startswith("1: first (leave ")
    assert lines[5].startswith("not over: ")
    assert lines[6:] == ["first: 2 faults", "second: 2 faults"]
    again = run("game", "manage", "nim", nobody, nobody, "--plies", "1", *CLOCKS)[1]
    assert again == out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("manage", "nim", "http://127.0.0.1:1"), "2 roles, first, second, and needs as many players, not 1"),
        (("manage", "nim", "ftp://here", "http://there:x"), "`ftp://here` is no address of a player"),
        (("manage", "nim", "127.0.0.1", "http://there:x"), "`http://there:x` is no address of a player"),
        (("manage", "nim", "http://", "http://"), "`http://` is no address of a player"),
        (("manage", "nimm", "http://127.0.0.1:1"), "did you mean `nim`"),
        (("manage", "nim", "127.0.0.1", "127.0.0.1", "--match", "a b"), "a name of a match has no blanks"),
        (("serve", "--player", "rondom"), "there is no player `rondom`; did you mean `random`?"),
        (("serve", "--name", "my player"), "a name for managers has no blanks"),
        (("serve", "--host", "nowhere.invalid"), "the server cannot listen at nowhere.invalid"),
    ],
)
def test_mistakes_in_the_command_line(run, folder, arguments, message):
    code, out, err = run("game", *arguments)
    assert code in (1, 2)
    assert out == ""
    assert message in " ".join(err.replace("│", " ").split())
