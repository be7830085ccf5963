"""`hornbook check`: output, exit codes, and immediate results for an unchanged file."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hornbook.cli import main
from hornbook.inputs.theories import load
from hornbook.kb.sources import cache

BOARD = "sort point.\nstatic neighbour(point, point).\n"
WARNING = BOARD + "derived near(point).\nnear(?p) :- neighbour(?p, ?q).\n"
ERROR = BOARD + "neighbour(a1).\nneighbor(a1, b1).\n"
WARNING_TEXT = """\
warning[HB021]: `?q` is used once
 --> warning.horn:4:27
  |
4 | near(?p) :- neighbour(?p, ?q).
  |                           ^^
  = help: where anything will do, write `_`

1 warning
"""


@pytest.fixture(autouse=True)
def in_a_folder(folder, monkeypatch):
    monkeypatch.setenv("HORNBOOK_CACHE", str(folder / "cache"))
    for name, text in (("right", BOARD), ("warning", WARNING), ("error", ERROR)):
        Path(f"{name}.horn").write_text(text, encoding="utf-8")


@pytest.fixture
def check(run):
    def checked(*arguments):
        code, out, err = run("check", *arguments)
        assert err == ""
        return code, out

    return checked


def test_a_file_without_mistakes(check):
    assert check("right.horn") == (0, "no mistakes\n")


def test_warnings_only_are_no_failure(check):
    assert check("warning.horn") == (0, WARNING_TEXT)
    assert check("warning.horn") == (0, WARNING_TEXT)


def test_errors_of_several_files_are_all_shown(check):
    code, out = check("error.horn", "warning.horn", "right.horn", "error.horn", "nowhere.horn")
    assert code == 1
    assert [line for line in out.splitlines() if line.startswith(("error", "warning"))] == [
        "error[HB011]: `neighbour` takes 2 arguments, not 1",
        "error[HB010]: unknown predicate `neighbor`",
        "error[HB005]: there is no file `nowhere.horn`",
        "warning[HB021]: `?q` is used once",
    ]
    assert out.endswith("\n\n3 errors, 1 warning\n")


def test_a_lemma_without_a_proof_is_reported_until_it_is_proved(check, run):
    Path("dim.horn").write_text(
        "theory dim.\nsort room.\nfluent dark(room).\nderived dim(room).\nderived gloomy(room).\n"
        "dim: dim(?r) :- dark(?r).\ngloomy: gloomy(?r) :- dim(?r).\nlemma both: gloomy(?r) :- dark(?r).\n",
        encoding="utf-8",
    )
    Path("above.horn").write_text("theory above.\nimport dim.\n", encoding="utf-8")
    code, out = check("dim.horn", "--json")
    (found,) = json.loads(out)
    assert (code, found["code"], found["line"], found["severity"]) == (0, "HB073", 8, "warning")
    assert check("above.horn") == (0, "no mistakes\n")
    assert run("rules", "prove", "dim.horn")[0] == 0
    assert check("dim.horn") == (0, "no mistakes\n")


def test_json_is_a_list_of_mistakes(check):
    code, out = check("--json", "error.horn", "right.horn")
    assert code == 1
    assert json.loads(out) == [
        {
            "file": "error.horn",
            "line": 3,
            "column": 1,
            "code": "HB011",
            "severity": "error",
            "message": "`neighbour` takes 2 arguments, not 1",
            "help": "it is declared `static neighbour(point, point)`",
        },
        {
            "file": "error.horn",
            "line": 4,
            "column": 1,
            "code": "HB010",
            "severity": "error",
            "message": "unknown predicate `neighbor`",
            "help": "did you mean `neighbour`?",
        },
    ]
    assert check("--json", "right.horn") == (0, "[]\n")


def test_a_folder_and_a_name_are_as_good_as_a_file(check):
    Path("shop").mkdir()
    Path("shop/shop.horn").write_text(ERROR, encoding="utf-8")
    code, out = check("--json", "shop", "family")
    assert code == 1
    assert {found["file"] for found in json.loads(out)} == {str(Path("shop/shop.horn"))}


def test_no_cache_reads_and_writes_none(check, monkeypatch):
    check("--no-cache", "error.horn")
    assert not Path("cache").exists()
    _, first = check("error.horn")
    with monkeypatch.context() as patch:
        patch.setattr("hornbook.kb.load.loader.read", lambda _: pytest.fail("checked again"))
        assert check("error.horn")[1] == first
    entry = Path("cache") / cache.NAME
    entry.write_bytes(b"")
    assert check("--no-cache", "error.horn")[1] == first
    assert entry.read_bytes() == b""


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("plain", [False, True])
def test_colours_are_for_terminals_and_obey_no_color(plain, monkeypatch):
    if not plain:
        monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "xterm-256color")
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    main(["check", "warning.horn"])
    assert ("\x1b[" in terminal.getvalue()) is not plain
    if plain:
        assert terminal.getvalue() == WARNING_TEXT


def test_an_unchanged_file_is_judged_without_the_parser_and_the_checker():
    script = """\
import sys
from hornbook.cli import main
code = main(["check", "warning.horn"])
heavy = {"lark", "networkx", "hornbook.kb.parse.syntax", "hornbook.kb.check", "hornbook.kb.load.loader", "rich.console"} & sys.modules.keys()
print(code, sorted(heavy))
"""
    root = Path(__file__).parents[4]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    command = [sys.executable, "-c", script]
    first, second = (
        subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    )
    assert first.startswith(WARNING_TEXT)
    assert "hornbook.kb.check" in first
    assert second == f"{WARNING_TEXT}0 []\n"


PERSISTING = """\
theory lamps.
sort lamp.
sort answer = yes | no.
fluent lit(lamp -> answer).
action press(lamp).
% all others
persists lit(?l, _)  % stays
  unless press(?l).
goes_on: after lit(?l, yes) :- press(?l).
"""


def test_what_persists_is_printed_as_rules_that_say_the_same(capsys):
    Path("lamps.horn").write_text(PERSISTING, encoding="utf-8")
    assert main(["check", "--expand", "lamps.horn"]) == 0
    printed = capsys.readouterr().out
    assert printed == PERSISTING.replace(
        "persists lit(?l, _)  % stays\n  unless press(?l).\n",
        "% persists lit(?l, _)  % stays\n% unless press(?l).\n"
        "lit_stays_after_press:\n"
        "  after lit(?l, ?answer) :- press(?lamp), before lit(?l, ?answer), ?l != ?lamp.\n",
    )
    Path("expanded.horn").write_text(printed, encoding="utf-8")
    assert set(load("expanded.horn").rules) == set(load("lamps.horn").rules)


def test_a_lemma_with_or_is_expanded_to_lemmas(capsys):
    text = "sort s.\nstatic a(s).\nstatic b(s).\nderived c(s).\n"
    Path("ors.horn").write_text(f"{text}lemma it: c(?x) :- a(?x) or b(?x).\n", encoding="utf-8")
    assert main(["check", "--expand", "ors.horn"]) == 0
    stated = "% lemma it: c(?x) :- a(?x) or b(?x).\nlemma it_1:\n  c(?x) :- a(?x).\nlemma it_2:\n  c(?x) :- b(?x).\n"
    assert capsys.readouterr().out == text + stated


def test_what_has_mistakes_or_is_not_one_text_is_not_expanded(capsys):
    Path("lamps.horn").write_text(PERSISTING + "p :- q.\n", encoding="utf-8")
    assert main(["check", "--expand", "lamps.horn"]) == 1
    captured = capsys.readouterr()
    assert "HB010" in captured.err
    assert captured.out == ""
    assert main(["check", "--expand", "--json", "family"]) == 2
    assert main(["check", "--expand", "family", "cup"]) == 2
