"""Sheets as theories: word for word for those that ship, and beside the sheet itself on random states.

With HORNBOOK_UPDATE_GOLDEN=1 the golden theories are written anew; read what changed before committing it.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from random import Random

import pytest

from hornbook import cli
from hornbook.kb.check import check
from hornbook.kb.parse.syntax import parse
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.planner.gdl.examples import FOLDER, NAMES
from hornbook.planner.translation.folder import write_folder
from hornbook.planner.translation.sheet_theory import translated
from oracles.gdl.own_sheets import SHEETS
from oracles.gdl.translated_games import agreement

GOLDEN = Path(__file__).parent / "golden"


@pytest.mark.parametrize("name", NAMES)
def test_what_the_sheets_that_ship_become(name):
    path = FOLDER / f"{name}.kif"
    text = translated(path.read_text(encoding="utf-8"), path.name, name).text
    expected = GOLDEN / f"{name}.horn"
    if os.environ.get("HORNBOOK_UPDATE_GOLDEN"):
        expected.write_text(text, encoding="utf-8")
    assert text == expected.read_text(encoding="utf-8")
    assert check([parse(text)]) == []


@pytest.mark.parametrize("name", [*NAMES, "boxes", "hanoi", "maze", "three_buttons"])
def test_a_theory_says_what_its_sheet_says(name, tmp_path):
    write_folder(SHEETS[name], tmp_path / name)
    found = agreement(tmp_path / name, Random(1), 40)
    assert found.difference is None
    assert found.states == 40


def test_a_theory_that_says_less_or_more_than_its_sheet_is_noticed(tmp_path):
    path = write_folder(SHEETS["noughts_and_crosses"], tmp_path / "noughts")
    text = path.read_text(encoding="utf-8")
    for right, wrong in (
        ("cell(?x, ?y, blank).", "cell(?x, ?y, _)."),
        ("no_terminal :- no_terminal_1, ", "no_terminal :- "),
    ):
        assert right in text
        path.write_text(text.replace(right, wrong, 1), encoding="utf-8")
        assert agreement(path.parent, Random(1), 40).difference is not None


TURNS = """(role ann) (role bob) (after ann bob) (after bob ann)
(init (control ann)) (init (count 0)) (succ 0 1) (succ 1 2) (succ 2 3)
(<= (legal ?p (say ?n)) (true (control ?p)) (true (count ?n)))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (next (control ?q)) (true (control ?p)) (after ?p ?q))
(<= (next (count ?m)) (true (count ?n)) (succ ?n ?m))
(<= terminal (true (count 3)))
(<= (goal ?p 50) (role ?p))
"""


@pytest.mark.parametrize(
    ("more", "message", "line"),
    [
        ("(<= (legal ?p shout) (role ?p))", "simultaneous", 9),
        ("(<= (next (control ?p)) (does ?p (say 2)))", "whose turn it is", 3),
        (
            "(<= (far ?p) (true (control ?p)))\n(<= (far ?p) (far ?q) (after ?q ?p))\n(<= terminal (role ?p) (not (far ?p)))",
            "rests on itself",
            9,
        ),
        ("(<= (goal ?p ?n) (role ?p) (true (control ?n)))", "goals are compared with what is no number", 8),
    ],
)
def test_what_cannot_be_said_is_named_with_its_clause(more, message, line, tmp_path):
    sheet = tmp_path / "turns.kif"
    sheet.write_text(f"{TURNS}{more}\n", encoding="utf-8")
    with pytest.raises(TheoryError) as raised:
        write_folder(sheet, tmp_path / "turns")
    (diagnostic,) = raised.value.diagnostics
    assert (diagnostic.code, diagnostic.span.line) == ("HB110", line), diagnostic
    assert message in diagnostic.message
    assert [path.name for path in tmp_path.iterdir()] == ["turns.kif"]


def test_a_state_in_which_it_is_nobodys_turn_is_refused(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("turns.kif").write_text(TURNS, encoding="utf-8")
    assert cli.main(["import-gdl", "turns.kif", "--into", "turns"]) == 0
    problem = {
        "id": "a",
        "state": "(count 2)",
        "game": "reach(ann, 50)",
        "moves": 1,
        "winning": ["say(ann, 2)"],
    }
    Path("p.jsonl").write_text(json.dumps(problem), encoding="utf-8")
    for command in (["learn", "turns", "--into", "r.horn"], ["solve", "turns", "--rules", "r.horn"]):
        Path("r.horn").write_text("import turns.", encoding="utf-8")
        assert cli.main([*command, "--problems", "p.jsonl"]) == 1
        err = capsys.readouterr().err
        assert "the state does not say whose turn it is\n --> p.jsonl:1:" in err
        assert "write whose turn it is, as in `(control ann)`" in err


def test_the_command_writes_a_game_once(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("turns.kif").write_text(TURNS, encoding="utf-8")
    assert cli.main(["import-gdl", "turns.kif", "--into", "turns"]) == 0
    assert cli.main(["import-gdl", "turns.kif", "--into", "turns"]) == 1
    assert "--force replaces its files" in capsys.readouterr().err
    assert cli.main(["import-gdl", "turns.kif", "--into", "turns", "--force"]) == 0
    assert cli.main(["check", "turns"]) == 0
    assert sorted(path.name for path in Path("turns").iterdir() if path.is_file()) == [
        "__init__.py", "adapter.py", "domain.py", "turns.horn", "turns.kif", "words.json",
    ]  # fmt: skip
