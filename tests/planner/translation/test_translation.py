"""Tests of sheets translated to theories.

Translations of shipped sheets must match the golden text. Others are compared with the sheet on random
states.

Set HORNBOOK_UPDATE_GOLDEN=1 to write the golden theories again. Review the changes before committing.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from random import Random

import pytest

from hornbook import cli
from hornbook.kb.check.theory_checks import check
from hornbook.kb.parse.syntax import parse
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.planner.gdl.examples import FOLDER, NAMES
from hornbook.planner.gdl.game import Game
from hornbook.planner.translation.folder import write_folder
from hornbook.planner.translation.sheet_domain import SheetGame
from hornbook.planner.translation.sheet_theory import translate_sheet
from oracles.gdl.own_sheets import SHEETS
from oracles.gdl.translated_games import agreement, same_game

GOLDEN = Path(__file__).parent / "golden"


@pytest.mark.parametrize("name", NAMES)
def test_what_the_sheets_that_ship_become(name):
    path = FOLDER / f"{name}.kif"
    text = translate_sheet(path.read_text(encoding="utf-8"), path.name, name).text
    expected = GOLDEN / f"{name}.horn"
    if os.environ.get("HORNBOOK_UPDATE_GOLDEN"):
        expected.write_text(text, encoding="utf-8")
    assert text == expected.read_text(encoding="utf-8")
    assert check([parse(text)]) == []


@pytest.mark.parametrize("name", [*NAMES, "boxes", "counting", "hanoi", "maze", "three_buttons"])
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
        (
            "(<= (far ?p) (true (control ?p)))\n(<= (far ?p) (far ?q) (after ?q ?p))\n(<= terminal (role ?p) (not (far ?p)))",
            "depends on itself",
            9,
        ),
        (
            "(<= (goal ?p ?n) (role ?p) (true (control ?n)))",
            "the value of a goal may be a term that is not an integer from 0 to 100",
            8,
        ),
    ],
)
def test_what_cannot_be_message_is_named_with_its_clause(more, message, line, tmp_path):
    sheet = tmp_path / "turns.kif"
    sheet.write_text(f"{TURNS}{more}\n", encoding="utf-8")
    with pytest.raises(TheoryError) as raised:
        write_folder(sheet, tmp_path / "turns")
    (diagnostic,) = raised.value.diagnostics
    assert (diagnostic.code, diagnostic.span.line) == ("HB110", line), diagnostic
    assert message in diagnostic.message
    assert [path.name for path in tmp_path.iterdir()] == ["turns.kif"]


MANY = "(<= (many ?a ?b ?c ?d) (succ ?a ?w) (succ ?b ?x) (succ ?c ?y) (succ ?d ?z) (true (count ?a)))"


@pytest.mark.parametrize(
    ("limit", "most", "message", "line"),
    [
        ("grounding.MOST_FACTS", 150, "with this clause there are more than 150 facts and ground rules", 9),
        ("theory.MOST_FACTS", 20, "the theory would have more than 20 facts", 8),
        ("theory.MOST_RULES", 3, "the theory would have more than 3 rules", 6),
    ],
)
def test_what_is_too_large_is_named_with_its_clause(limit, most, message, line, monkeypatch):
    monkeypatch.setattr(f"hornbook.planner.translation.{limit}", most)
    with pytest.raises(TheoryError) as raised:
        translate_sheet(f"{TURNS}{MANY}\n", "turns.kif", "turns")
    (diagnostic,) = raised.value.diagnostics
    assert message in diagnostic.message
    assert diagnostic.span.line == line


ROPE = """(role ann) (role bob) (init (at 2)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
(<= (legal ?p pull) (role ?p)) (legal ann rest) (<= (legal bob (drop ?n)) (succ ?n 2))
(<= (next (at ?m)) (true (at ?n)) (succ ?m ?n) (does ann pull) (not (does bob pull)))
(<= (next (at ?m)) (true (at ?n)) (succ ?n ?m) (does bob pull) (does ann rest))
(<= (next (at ?n)) (true (at ?n)) (does ?p ?move) (does ?q ?move) (distinct ?p ?q))
(<= (next (at ?n)) (true (at ?n)) (does ann rest) (does bob (drop ?m)))
(<= (next tired) (does ann pull)) (<= (next tired) (true tired))
(<= terminal (true (at 0))) (<= terminal (true (at 4)))
(<= (goal ann 100) (true (at 0))) (<= (goal ann 0) (not (true (at 0))))
(<= (goal bob 100) (true (at 4))) (<= (goal bob 50) (true tired) (not (true (at 4)))) (<= (goal bob 0) (not (true tired)))
"""
CHAIN = """(role ann) (init (open 1)) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
(<= (legal ann (turn ?n)) (succ ?m ?n)) (<= (next (open ?n)) (does ann (turn ?n)) (not (true (open ?n))))
(<= (next (open ?n)) (true (open ?n)) (not (does ann (turn ?n))))
(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
(<= (flows 1) (true (open 1)))
(<= (flows ?n) (flows ?m) (succ ?m ?n) (true (open ?n)))
(<= dry (succ ?m ?n) (not (flows ?n)) (true (open ?n)))
(<= terminal (true (step 4))) (<= terminal (flows 4))
(<= (goal ann 100) (flows 4)) (<= (goal ann 50) (not (flows 4)) (not dry)) (<= (goal ann 0) (not (flows 4)) dry)
"""


@pytest.mark.parametrize("outside", [0, 5_000])
@pytest.mark.parametrize(
    "text",
    [
        ROPE,
        # A fact of the state that is a plain word, and names that are already used.
        ROPE.replace("tired", "choosing").replace("rest", "wait"),
        CHAIN,
        TURNS + "(<= (legal ?p shout) (role ?p))",
        TURNS + "(<= (next (control ?p)) (does ?p (say 2)))",
        # A goal of a term that is no role.
        TURNS + "(<= (goal ?n 0) (true (count ?n)))",
    ],
)
def test_more_sheets_are_reported(text, outside, tmp_path, monkeypatch):
    monkeypatch.setattr("hornbook.planner.translation.theory.MOST_OUTSIDE", outside)
    (tmp_path / "sheet.kif").write_text(text, encoding="utf-8")
    path = write_folder(tmp_path / "sheet.kif", tmp_path / "game")
    assert agreement(path.parent, Random(1), 20).difference is None
    if text not in (CHAIN, TURNS) and "goal ?n" not in text:
        found = same_game(Game(text), SheetGame(path.parent, "game.kif"), Random(1), 60)
        assert found.difference is None
        assert found.states == 60


def test_a_game_of_turns_that_differs_is_noticed(tmp_path):
    (tmp_path / "rope.kif").write_text(ROPE, encoding="utf-8")
    path = write_folder(tmp_path / "rope.kif", tmp_path / "game")
    other = Game(ROPE.replace("(does ann pull) (not (does bob pull))", "(does ann pull)"))
    assert same_game(other, SheetGame(path.parent, "game.kif"), Random(1), 100).difference is not None


def test_turns_of_two_that_change_each_time_alternate():
    assert "fluent control(-> role) alternates." in translate_sheet(TURNS, "turns.kif", "turns").text
    stays = TURNS.replace("(after ?p ?q))", "(after ?p ?q) (does ?p (say 0)))") + (
        "(<= (next (control ?p)) (true (control ?p)) (true (count ?n)) (distinct ?n 0))"
    )
    assert " alternates." not in translate_sheet(stays, "turns.kif", "turns").text


def test_a_state_in_which_it_is_nobodys_turn_is_refused(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("turns.kif").write_text(TURNS, encoding="utf-8")
    assert cli.main(["game", "import", "turns.kif", "--into", "turns"]) == 0
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


@pytest.mark.deep
def test_the_command_writes_a_game_once(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("turns.kif").write_text(TURNS, encoding="utf-8")
    assert cli.main(["game", "import", "turns.kif", "--into", "turns"]) == 0
    assert cli.main(["game", "import", "turns.kif", "--into", "turns"]) == 1
    assert "--force replaces its files" in capsys.readouterr().err
    assert cli.main(["game", "import", "turns.kif", "--into", "turns", "--force"]) == 0
    assert cli.main(["check", "turns"]) == 0
    assert cli.main(["game", "import", "turns.kif", "--into", "turns.kif", "--force"]) == 2
    assert "`turns.kif` is an input, and would be replaced" in capsys.readouterr().err
    assert cli.main(["game", "import", "turns.kif", "--into", "turns.kif/below", "--force"]) == 1
    assert "error: turns.kif: " in capsys.readouterr().err
    assert sorted(path.name for path in Path("turns").iterdir() if path.is_file()) == [
        "__init__.py", "adapter.py", "domain.py", "turns.horn", "turns.kif", "words.json",
    ]  # fmt: skip


@pytest.mark.parametrize("existing", [False, True])
def test_the_command_out_of_time_writes_nothing(existing, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("turns.kif").write_text(TURNS, encoding="utf-8")
    if existing:
        Path("turns").mkdir()
    command = ["game", "import", "turns.kif", "--into", "turns", "--force", "--seconds", "0.001"]
    assert cli.main(command) == 1
    captured = capsys.readouterr()
    assert captured.err.startswith("error: not done within 0.001 seconds, and nothing is written; ")
    assert not captured.out
    assert not list(Path("turns").glob("*"))
    assert len(list(tmp_path.iterdir())) == 1 + existing


NEVER_STAYS = """(role ann) (role ben) (init (at 0))
(<= (legal ?r go) (role ?r))
(<= (legal ?r stay) (role ?r) (true nowhere))
(<= (next (at 1)) (does ann go) (not (does ben stay)))
(<= (next nowhere) (true nowhere) (does ?r stay))
(<= terminal (true (at 1)))
(<= (goal ?r 100) (role ?r) (true (at 1)))
"""


@pytest.mark.parametrize(("sheet", "expected"), [(TURNS, "no mistakes"), (NEVER_STAYS, "1 warning")])
def test_the_command_reports_what_check_finds_in_the_theory(sheet, expected, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("game.kif").write_text(sheet, encoding="utf-8")
    assert cli.main(["game", "import", "game.kif", "--into", "made"]) == 0
    assert f"`hornbook check made` finds {expected} in it\n" in capsys.readouterr().out
    assert cli.main(["check", "made"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == expected
