"""`hornbook game strategy` and `hornbook game verify`."""

from __future__ import annotations

import json

import pytest

from hornbook.planner.conditional.solving import Solving

SHORT = ("--moves", "(leave a 1); (leave c 2); (leave b 2)")
"""Moves after which `second` has heaps of 1, 2 and 2."""


def test_what_can_be_guaranteed(run, folder):
    code, out, _ = run("game", "strategy", "nim", "--role", "SECOND", *SHORT, "--into", "s.jsonl")
    assert code == 0
    first, begins, size, looked = out.splitlines()
    assert first == "second can guarantee 100, whatever first may do; no more is possible"
    assert begins == "  second begins with (leave a 0); over after 5 moves at most"
    assert size.startswith("  strategy for 100: ")
    assert looked.endswith(" states looked at")
    assert run("game", "verify", "nim", "s.jsonl", *SHORT)[:2] == (
        0,
        f"s.jsonl: right: second is guaranteed 100; {len((folder / 's.jsonl').read_text().splitlines()) - 1} nodes\n",
    )


def test_no_strategy_and_not_decided_are_never_confused(run, folder):
    code, out, _ = run("game", "strategy", "nim", "--role", "first", *SHORT, "--into", "none.jsonl")
    assert code == 1
    assert out.startswith("no strategy exists that guarantees first more than 0; proved: 0\n")
    code, out, _ = run("game", "strategy", "nim", "--role", "first", *SHORT, "--at-least", "40")
    assert code == 1
    assert out.startswith("no strategy exists that guarantees first 40; proved: ")
    code, out, _ = run("game", "strategy", "nim", "--role", "first", "--nodes", "20", "--into", "none.jsonl")
    assert code == 1
    assert out == "not decided what first can guarantee; proved: from 0 to 100\n  20 states looked at\n"
    assert not (folder / "none.jsonl").exists()


STUCK = """(role ann) (role ben) (init (at 0)) (legal ann go)
(<= (next (at 1)) (true (at 0)) (does ann go)) (<= terminal (true (at 1))) (goal ann 100) (goal ben 0)
"""


def test_who_cannot_move_at_first_is_why_there_is_no_strategy(run, folder):
    (folder / "stuck.kif").write_text(STUCK, encoding="utf-8")
    code, out, _ = run("game", "strategy", "stuck.kif", "--role", "ann")
    assert (code, out.splitlines()[1:]) == (
        1,
        ["  1 state looked at", "  ben has no legal move to begin with, and the game is not over"],
    )
    # When the game is over, no role has a move, and that is no error.
    (folder / "over.kif").write_text(STUCK.replace("init (at 0)", "init (at 1)"), encoding="utf-8")
    assert run("game", "strategy", "over.kif", "--role", "ben")[1].splitlines()[1:] == ["  1 state looked at"]


def test_a_state_with_what_is_never_true_is_refused(run, folder):
    (folder / "state.txt").write_text("(turn first) (hass a 3)", encoding="utf-8")
    for queried in (
        ("strategy", "nim", "--role", "first"),
        ("game", "play", "nim"),
        ("game", "query", "nim", "terminal"),
    ):
        code, _, err = run(*queried, "--state", "state.txt")
        assert code == 1
        assert "no state has `hass`" in err
        assert "did you mean `has`?" in err


def test_json(run):
    code, out, _ = run("game", "strategy", "lights", "--json")
    assert code == 0
    assert json.loads(out) | {"states": 0} == {
        "answer": "found",
        "role": "hand",
        "bounds": [100, 100],
        "states": 0,
        "strategy": {"value": 100, "move": "(switch 1)", "moves": 3, "nodes": 4, "tree": 4, "lines": 1},
        "refutation": None,
    }
    code, out, _ = run("game", "strategy", "nim", "--role", "first", "--nodes", "20", "--json")
    assert code == 1
    assert json.loads(out) == {
        "answer": "open", "role": "first", "bounds": [0, 100], "states": 20, "strategy": None,
        "refutation": None,
    }  # fmt: skip


def test_what_others_prevent_is_written_and_checked(run, folder):
    code, out, _ = run("game", "strategy", "nim", "--role", "first", *SHORT, "--refutation", "most.jsonl")
    assert code == 1
    nodes = len((folder / "most.jsonl").read_text().splitlines()) - 1
    assert out.splitlines()[-1] == f"  how second can hold first to 0: {nodes} nodes"
    message = f"most.jsonl: right: first is held to 0; {nodes} nodes\n"
    assert run("game", "verify", "nim", "most.jsonl", *SHORT)[:2] == (0, message)
    code, out, _ = run("game", "verify", "nim", "most.jsonl", "--json")
    assert (code, json.loads(out)["most"]) == (1, 0)


@pytest.mark.parametrize(
    ("queried", "reason"),
    [
        (("nim", "--role", "second", *SHORT), "no rule of the sheet gives second more than 100"),
        (("nim", "--role", "first", "--nodes", "20"), "no rule of the sheet gives first more than 100"),
        (("lights",), "no opponent moves; the upper bound is proved by all states that were looked at"),
    ],
)
def test_where_no_refutation_is_written_it_is_reported_why(run, folder, queried, reason):
    _, out, _ = run("game", "strategy", *queried, "--refutation", "most.jsonl")
    assert f"  no refutation is written: {reason}" in out
    assert not (folder / "most.jsonl").exists()


@pytest.mark.parametrize("goal", ["(goal ann 150)", "(goal ann many)"])
def test_a_goal_that_is_not_an_integer_from_0_to_100_is_refused(run, folder, goal):
    (folder / "rich.kif").write_text(STUCK.replace("(goal ann 100)", goal).replace("(role ben)", ""))
    code, out, err = run("game", "strategy", "rich.kif", "--role", "ann")
    assert (code, out) == (1, "")
    assert "error[HB104]" in err
    assert "rich.kif:2:86" in err


def test_an_end_whose_goal_is_out_of_range_is_worth_nothing(run, folder):
    value = "(value 150) (value 5) (<= (goal ann ?v) (value ?v) (distinct ?v 5))"
    (folder / "rich.kif").write_text(STUCK.replace("(goal ann 100)", value).replace("(role ben)", ""))
    code, out, _ = run("game", "strategy", "rich.kif", "--role", "ann")
    assert code == 1
    assert out.startswith("no strategy exists that guarantees ann more than 0; proved: 0\n")


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ([], "name the role of the strategy: first, second"),
        (["--role", "furst"], "no role is called `furst`; did you mean `first`?"),
        (["--role", "x"], "the roles are first, second"),
        (["--role", "first", "--at-least", "0"], "--at-least"),
        (["--role", "first", "--nodes", "0"], "--nodes"),
    ],
)
def test_usage(run, more, message):
    code, out, err = run("game", "strategy", "nim", *more)
    assert (code, out) == (2, "")
    assert message in err


def test_nothing_is_looked_for_where_nothing_can_be_written(run):
    code, out, err = run("game", "strategy", "nim", "--role", "first", "--into", "no/such/folder.jsonl")
    assert (code, out) == (1, "")
    assert "there is no such folder" in err


def test_an_interruption_shows_what_is_proved(run, monkeypatch):
    def interrupted(_: Solving, reported: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Solving, "run", interrupted)
    code, out, err = run("game", "strategy", "nim", "--role", "first")
    assert code == 1
    assert out == "not decided what first can guarantee; proved: from 0 to 100\n  0 states looked at\n"
    assert err == ""


def test_what_is_proved_is_reported_where_there_is_no_time_for_a_strategy(run, monkeypatch):
    monkeypatch.setattr(Solving, "_strategy", lambda _solving, _steps: None)
    code, out, _ = run("game", "strategy", "nim", "--role", "second", *SHORT)
    assert code == 1
    assert out.startswith("no time was left to make a strategy; proved of what second can guarantee: 100\n")


def test_a_falsified_strategy_is_refused_with_its_lines(run, folder):
    assert run("game", "strategy", "nim", "--role", "second", *SHORT, "--into", "s.jsonl")[0] == 0
    lines = (folder / "s.jsonl").read_text(encoding="utf-8").splitlines()
    forged = lines[1].replace("(leave a 0)", "(leave b 0)")
    (folder / "s.jsonl").write_text("\n".join([lines[0], forged, *lines[2:]]), encoding="utf-8")
    code, out, _ = run("game", "verify", "nim", "s.jsonl", *SHORT)
    assert code == 1
    assert out.splitlines()[0].startswith("s.jsonl:2: node 0: after the reply noop comes another state than ")
    assert out.splitlines()[-1] == "refused: 1 mistake"
    code, out, _ = run("game", "verify", "nim", "s.jsonl", *SHORT, "--json")
    assert code == 1
    found = json.loads(out)
    assert [(each["line"], each["node"]) for each in found["mistakes"]] == [(2, 0)]
    assert (found["role"], found["value"]) == ("second", 100)


def test_a_strategy_from_a_later_state_is_not_one_of_the_game(run, folder):
    assert run("game", "strategy", "nim", "--role", "second", *SHORT, "--into", "s.jsonl")[0] == 0
    code, out, _ = run("game", "verify", "nim", "s.jsonl")
    assert code == 1
    assert "the strategy does not begin where the game does" in out
    code, out, _ = run("game", "verify", "lights", "s.jsonl")
    assert code == 1
    assert "s.jsonl:1: the strategy is for the roles first, second, and the game has hand" in out


def test_what_is_no_strategy_is_an_error(run, folder):
    (folder / "s.jsonl").write_text("what\n", encoding="utf-8")
    code, out, err = run("game", "verify", "nim", "s.jsonl")
    assert (code, out) == (1, "")
    assert err.startswith("error: s.jsonl:1: the line is not JSON; write the file anew with ")


def test_pictures(run, folder):
    code, out, _ = run(
        "game",
        "strategy",
        "nim",
        "--role",
        "second",
        *SHORT,
        "--svg",
        "s.svg",
        "--mermaid",
        "s.mmd",
        "--html",
        "s.html",
    )
    assert code == 0
    assert "can guarantee 100" in out
    assert (folder / "s.svg").read_text(encoding="utf-8").startswith("<svg")
    assert (folder / "s.mmd").read_text(encoding="utf-8").startswith("flowchart")
    assert "second (leave a 0)" in (folder / "s.html").read_text(encoding="utf-8")


def test_a_picture_that_is_too_large_leaves_no_file(run, folder, monkeypatch):
    monkeypatch.setattr("hornbook.games.strategy_pictures.MOST_IN_MERMAID", 3)
    code, _, err = run(
        "game", "strategy", "nim", "--role", "second", *SHORT, "--into", "s.jsonl", "--mermaid", "s.mmd"
    )
    assert code == 1
    assert "make a page of it, with `--html`" in err
    assert list(folder.iterdir()) == []


LADDERS = """(role one) (ladder a) (ladder b) (ladder c) (ladder d) (ladder e) (ladder f) (ladder g)
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8) (succ 8 9)
(<= (init (on ?x 0)) (ladder ?x))
(<= (legal one (up ?x)) (true (on ?x ?n)) (succ ?n ?m))
(<= (next (on ?x ?m)) (does one (up ?x)) (true (on ?x ?n)) (succ ?n ?m))
(<= (next (on ?x ?n)) (true (on ?x ?n)) (not (does one (up ?x))))
(<= low (true (on ?x ?n)) (distinct ?n 9))
(<= terminal (not low)) (<= (goal one 100) (not low)) (<= (goal one 0) low)
"""


def test_who_plays_only_needs_a_plan_and_not_all_of_ten_million_states(run, folder):
    (folder / "ladders.kif").write_text(LADDERS)
    code, out, _ = run("game", "strategy", "ladders.kif", "--nodes", "700000", "--into", "s.jsonl")
    assert code == 0
    assert out.startswith("one can guarantee 100; no more is possible\n")
    assert "; over after 63 moves at most\n" in out
    code, out, _ = run("game", "verify", "ladders.kif", "s.jsonl")
    assert (code, out) == (0, "s.jsonl: right: one is guaranteed 100; 64 nodes\n")


def test_a_plan_that_is_not_proved_has_its_interval(run, folder):
    (folder / "ladders.kif").write_text(LADDERS)
    code, out, _ = run("game", "strategy", "ladders.kif", "--nodes", "100", "--into", "s.jsonl")
    assert (code, out.splitlines()[0]) == (1, "not decided what one can guarantee; proved: from 0 to 100")
    assert not (folder / "s.jsonl").exists()
