"""`hornbook rules learn-plans`: learned plans form an ordinary rule file. Invalid input gives a reason."""

from __future__ import annotations

import json

import pytest

from hornbook import cli

RACE = """
theory race.
sort side = red | blue.
sort square.
static next(square, square).
fluent to_move(-> side) alternates.
fluent at(side -> square).
action go(side, square).
game home(side) worth 10.
next(a, b).
next(b, c).
next(c, d).
comes: after at(?c, ?q) :- go(?c, ?q), before to_move(?c), before at(?c, ?p), next(?p, ?q).
stays: after at(?d, ?p) :- go(?c, _), before at(?d, ?p), ?c != ?d.
blue_is_next: after to_move(blue) :- go(red, _).
red_is_next: after to_move(red) :- go(blue, _).
comes_home: before home(?c) by go(?c, d) is GI :- go(?c, d), before to_move(?c), before at(?c, c).
goes_on: before home(?c) by go(?c, ?q) is GI :- go(?c, ?q), after at(?c, ?q), after home(?c) is IG.
example start: to_move(red), at(red, a), at(blue, b).
"""
LEARN = ["rules", "learn-plans", "race.horn", "--into", "plans.horn", "--line"]
LINE = "start: home(red) :- go(red, b), go(red, c), go(red, d)"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    (tmp_path / "race.horn").write_text(RACE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_line_gives_plans_that_are_verified_and_explained(capsys, folder):
    assert cli.main([*LEARN, LINE]) == 0
    assert capsys.readouterr().out == "1 line: 3 plans proved, 3 admitted, 0 refused\n3 rules in plans.horn\n"
    written = (folder / "plans.horn").read_text(encoding="utf-8")
    assert "plan home(?c) in 3 by go(?c, ?p) :-" in written
    assert cli.main(["rules", "verify", "plans.horn", "--theory", "race.horn"]) == 0
    assert cli.main(["fmt", "--check", "plans.horn"]) == 0
    assert (
        cli.main(["rules", "explain", "plans.horn", "plan_home_in_2_by_go_1", "--theory", "race.horn"]) == 0
    )
    # No query uses plans, and they do not disturb other queries.
    assert cli.main(["query", "race.horn", "next(a, ?q)", "--rules", "plans.horn"]) == 0
    assert "warning" not in capsys.readouterr().err


def test_a_plan_is_not_drawn(capsys, folder):
    assert cli.main([*LEARN, LINE]) == 0
    drawn = [
        "explain-rule",
        "plans.horn",
        "plan_home_in_2_by_go_1",
        "--theory",
        "race.horn",
        "--svg",
        "x.svg",
    ]
    assert cli.main(drawn) == 2
    assert "plans are not drawn" in " ".join(capsys.readouterr().err.split())
    assert not (folder / "x.svg").exists()


def test_what_is_there_is_not_learned_again(capsys):
    assert cli.main([*LEARN, LINE]) == 0
    assert cli.main([*LEARN, LINE, "--json"]) == 0
    message = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (message["plans"], message["admitted"], message["rules"]) == (3, 0, 3)


def test_a_line_that_does_not_win_is_refused(capsys):
    assert cli.main([*LEARN, "start: home(red) :- go(red, b)"]) == 1
    out = capsys.readouterr().out
    assert "start: refused: before home(red) by go(red, b) is GI: the theory does not conclude" in out


def test_a_thing_that_is_none_is_reported(capsys):
    assert cli.main([*LEARN, "start: home(green) :- go(green, b)"]) == 1
    assert "start: `go`: `green` is not one of the constants of `side`" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("strt: home(red) :- go(red, b)", "there is no example `strt`; the examples are: start"),
        ("start: at(red) :- go(red, b)", "`at(red)` is no game of the theory"),
        ("start: home(red) :- at(red, b)", "`at(red, b)` is no action of the theory"),
        ("start: home(red) :- go(red, ?q)", "`go(red, ?q)` has a variable: name a thing"),
        ("start: home(red)", "write `EXAMPLE: GAME :- ACTION, ACTION, …`"),
        ("start: home(red) :- ?x = b", "a line is a game and actions, each with its arguments"),
    ],
)
def test_what_is_no_line_is_reported(text, message, capsys, folder):
    assert cli.main([*LEARN, text]) == 2
    err = " ".join(capsys.readouterr().err.split())
    assert message in err
    assert not (folder / "plans.horn").exists()


def test_a_mistake_of_syntax_is_shown_in_its_place(capsys):
    assert cli.main([*LEARN, "start: home(red :- go(red, b)"]) == 1
    assert "--> --line:1:" in capsys.readouterr().err
