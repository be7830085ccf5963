"""`hornbook game check`."""

import json
from pathlib import Path

import pytest

from hornbook.planner.gdl.kif import read

SHIPPED = sorted((Path(__file__).parents[4] / "planner" / "gdl" / "sheets").glob("*.kif"))

SHEET = """(role ann)
(init (at 0))
(after 0 1)
(<= (legal ann go) (true (at 0)))
(<= (next (at ?m)) (true (at ?n)) (after ?n ?m))
(<= terminal (true (at 1)))
(goal ann 100)
"""


def test_mistakes_of_several_sheets_and_what_the_right_one_says(run, folder):
    (folder / "right.kif").write_text(SHEET, encoding="utf-8")
    (folder / "wrong.kif").write_text(SHEET + "(p ?x)\n(<= q", encoding="utf-8")
    code, out, err = run("game", "check", "right.kif", "wrong.kif", "none.kif")
    assert (code, err) == (1, "")
    assert "error[HB106]" in out
    assert "--> wrong.kif:8:4" in out
    assert "error[HB101]" in out
    assert "error[HB005]" in out
    assert "right.kif: 3 rules, 4 facts; roles: ann\n  first moves of ann: go\n3 errors\n" in out


def test_who_cannot_move_at_first(run, folder):
    (folder / "stuck.kif").write_text(
        SHEET.replace("(legal ann go) (true (at 0))", "(legal ann go) (true (at 1))")
    )
    code, out, _ = run("game", "check", "stuck.kif")
    assert code == 1
    assert (
        "  first moves of ann: none\n  wrong in the first state: `ann` has no legal move\n    (at 0)\n" in out
    )
    assert out.endswith("\n1 fault\n")
    code, out, _ = run("game", "check", "stuck.kif", "--json")
    assert code == 1
    assert [fault["game"] for fault in json.loads(out)["games"][0]["faults"]] == [None]
    (folder / "over.kif").write_text(SHEET.replace("init (at 0)", "init (at 1)"))
    code, out, _ = run("game", "check", "over.kif")
    assert code == 0
    assert out.endswith("  first moves of ann: none\nno mistakes\n")


def test_warnings_only_are_no_failure(run, folder):
    (folder / "odd.kif").write_text(SHEET + "(<= terminal lst)\n(lost)\n", encoding="utf-8")
    code, out, _ = run("game", "check", "odd.kif")
    assert code == 0
    assert "warning[HB010]: no clause concludes `lst`" in out
    assert "did you mean `lost`?" in out
    assert out.endswith("2 warnings\n")


def test_random_games(run, folder):
    (folder / "right.kif").write_text(SHEET, encoding="utf-8")
    (folder / "stuck.kif").write_text(
        SHEET.replace("terminal (true (at 1))", "terminal (true (at 2))"), encoding="utf-8"
    )
    code, out, _ = run("game", "check", "right.kif", "--games", "3")
    assert code == 0
    assert out.endswith("  3 random games, the longest of 1 move: nothing is wrong\nno mistakes\n")
    code, out, _ = run("game", "check", "stuck.kif", "--games", "3")
    assert code == 1
    assert (
        "  wrong in 3 of 3 games: `ann` has no legal move, after 1 move of game 1, in the state\n    (at 1)\n"
        in out
    )
    assert out.endswith("3 faults\n")
    assert run("game", "check", "stuck.kif")[0] == 0


def test_json(run, folder):
    (folder / "right.kif").write_text(SHEET, encoding="utf-8")
    (folder / "wrong.kif").write_text(SHEET + "(p ?x)", encoding="utf-8")
    code, out, _ = run("game", "check", "wrong.kif", "right.kif", "--json", "--games", "1", "--plies", "1")
    assert code == 1
    output = json.loads(out)
    assert [
        (each["file"], each["code"]) for each in output["diagnostics"] if each["severity"] == "error"
    ] == [("wrong.kif", "HB106")]
    assert output["games"] == [
        {
            "file": "right.kif",
            "roles": ["ann"],
            "rules": 3,
            "facts": 4,
            "moves": {"ann": ["go"]},
            "faults": [],
        }
    ]


def test_an_interrupted_check_leaves_no_traceback(run, folder, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    (folder / "right.kif").write_text(SHEET, encoding="utf-8")
    monkeypatch.setattr("hornbook.commands.games.sheet.check.random_game", interrupted)
    code, out, err = run("game", "check", "right.kif", "--games", "3")
    assert (code, out) == (130, "")
    assert "Traceback" not in err


@pytest.mark.parametrize("name", [path.stem for path in SHIPPED])
def test_a_game_that_ships_is_right(run, folder, name):
    code, out, _ = run("game", "check", name, "--games", "5")
    assert code == 0
    assert out.endswith("nothing is wrong\nno mistakes\n")


def test_a_sheet_is_judged_once(run, folder, monkeypatch):
    judged = []

    def heard(text, file):
        judged.append(file)
        return read(text, file)

    # Every check of a rule sheet reads the sheet first.
    monkeypatch.setattr("hornbook.planner.gdl.wellformed.read", heard)
    (folder / "right.kif").write_text(SHEET, encoding="utf-8")
    assert run("game", "check", "right.kif")[0] == 0
    assert judged == ["right.kif"]
