"""Commands that get a file of the wrong kind name the command that takes it."""

from __future__ import annotations

import pytest

from hornbook.command_list import COMMANDS

CASES = [
    ("check game.kif", "`game.kif` is a game in GDL, and not a theory; use `hornbook game check`"),
    ("query game.gdl a(?x)", "use `hornbook game query`"),
    ("why noughts_and_crosses a", "`noughts_and_crosses` is a game in GDL, and not a theory; use"),
    ("why-not game.KIF a", "use `hornbook game why`"),
    ("search plan game.kif x", "use `hornbook game strategy`"),
    ("search verify game.kif proof", "use `hornbook game verify`"),
    ("learn game.kif --into x.horn", "`hornbook game import` makes a theory of it"),
    ("rules match game.kif x", "`hornbook game import` makes a theory of it"),
    ("problems generate nim -n 1 --into x", "`hornbook game import` makes a theory of it"),
    ("search statistics nim --positions 100 --into x", "`hornbook game import` makes a theory of it"),
    ("fmt game.kif", "`hornbook game import` makes a theory of it"),
    ("game check othello", "`othello` is a theory, and not a game in GDL; use `hornbook check`"),
    ("game query rules.horn a", "use `hornbook query`"),
    ("game why chess a", "use `hornbook why`"),
    ("game play chess", "use `hornbook play`"),
    ("game strategy chess", "use `hornbook search plan`"),
    ("game verify chess proof", "use `hornbook search verify`"),
    ("game import chess --into x", "`chess` is a theory, and not a game in GDL"),
    (
        "game plan game.kif x",
        "`game.kif` is a game in GDL, and not a file in PDDL; use `hornbook game strategy`",
    ),
    ("game plan chess x", "use `hornbook search plan`"),
    ("game strategy domain.pddl", "use `hornbook game plan`"),
    ("search plan domain.pddl x", "use `hornbook game plan`"),
    ("play domain.pddl", "`domain.pddl` is a file in PDDL, and not a theory nor a game in GDL"),
    ("check domain.pddl", "is a file in PDDL, and not a theory; `hornbook game import` makes a theory of it"),
    (
        "game check domain.pddl",
        "a file in PDDL, and not a game in GDL; `hornbook game import` makes a theory of it",
    ),
    ("search tournament deepening deepening --into x --game y.pddl", "is a file in PDDL"),
]


@pytest.mark.parametrize(("line", "message"), CASES)
def test_the_right_command_is_named(line, message, run, folder):
    code, out, err = run(*line.split())
    assert (code, out) == (2, "")
    assert message in " ".join(err.split())


@pytest.mark.parametrize("line", [line for line, _ in CASES if "use `" in _ and " x" not in line])
def test_the_named_command_exists(line):
    message = dict(CASES)[line]
    if "use `hornbook " in message:
        assert message.partition("use `hornbook ")[2].rstrip("`") in COMMANDS


def test_a_folder_named_as_a_sheet_that_ships_is_a_theory(run, folder):
    (folder / "nim").mkdir()
    (folder / "nim" / "nim.horn").write_text("theory nim.\n")
    assert run("check", "nim")[0] == 0
    code, _, err = run("play", "nim")
    assert code == 2
    assert "`nim` has no domain.py" in err
