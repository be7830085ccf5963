"""Messages about limits.

Each named option belongs to the command that prints the message, and a larger value allows more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from shutil import copy, copytree
from typing import Any

import pytest
import typer

import hornbook
from hornbook.application import build
from hornbook.cli import main
from hornbook.command_list import COMMANDS
from hornbook.kb.store import Store
from hornbook.matcher.program.coded import Limits

OPTIONS = ("--max-facts", "--seconds", "--memory", "--max-answers")
CHESS = "4k3/8/8/3r4/8/4N3/8/4K3 w - - 0 1"
THEORY = """theory strip.
sort cell.
static beside(cell, cell).
derived near(cell, cell).
action go(cell).
fluent at(cell).
beside_is_near: near(?x, ?y) :- beside(?x, ?y).
near_by_one: near(?x, ?z) :- beside(?x, ?y), near(?y, ?z).
gone: after at(?x) :- go(?x).
beside(a, b). beside(b, c).
example one: go(c).
expect one: near(a, c).
"""
LINES: dict[str, list[str]] = {
    "test": ["strip.horn"],
    "query": ["strip.horn", "near(?x, ?y)"],
    "theory run": ["strip.horn", "--into", "tables"],
    "theory report": ["strip.horn", "near(?x, ?y)", "--into", "reports"],
    "why": ["strip.horn", "near(a, c)"],
    "why-not": ["strip.horn", "near(c, a)"],
    "what-if": ["strip.horn", "go(c)"],
    "repl": ["strip.horn"],
    "learn": ["strip.horn", "--into", "again.horn"],
    "rules learn-plans": [
        "race.horn",
        "--line",
        "start: home(red) :- go(red, b), go(red, c)",
        "--into",
        "plans.horn",
    ],
    "rules invent": ["strip.horn", "--into", "invented.horn"],
    "rules explain": ["strip_rules.horn", "near_1", "--theory", "strip.horn"],
    "firm advise": ["firm", "--state", "month.csv"],
    "firm report": ["firm", "year", "--into", "year.html"],
    "rules match": ["chess", "position.fen", "--rules", "chess_rules.horn"],
    "problems solve": ["chess", "--rules", "chess_rules.horn", "--problems", "chess.jsonl"],
    "problems audit": ["chess", "--rules", "chess_rules.horn", "--positions", "1"],
    "theory network": ["strip.horn"],
    "theory profile": ["strip.horn"],
    "store add": ["strip.sqlite", "--add", "more.horn"],
    "store retract": ["strip.sqlite", "more.horn"],
    "store check": ["strip.sqlite"],
    "rules verify": ["strip.sqlite", "--renew"],
    "rules compile": ["strip_rules.horn", "--theory", "strip.horn", "--into", "compiled"],
    "theory graph": ["strip.horn"],
    "check": ["strip.horn"],
    "rules prune": ["strip.sqlite"],
    "rules restore": ["strip.sqlite"],
}
"""A command line for each command that reads a theory of its own."""


def commands() -> Iterator[tuple[str, typer.core.TyperCommand]]:
    """Yield every command with its options."""
    for name in COMMANDS:
        found: Any = typer.main.get_command(build(name.split()))
        for word in name.split():
            found = found.commands[word]
        yield name, found


KNOWN = {name: {option for each in found.params for option in each.opts} for name, found in commands()}
LIKE_LEARN = ("rules learn-plans", "rules relearn")
"""Commands that pass their limits on as `learn` does, and need their own examples."""
SERVERS = ("explore", "serve")
"""Commands that continue after a limit, and report it in their answers (`tests/app/web`)."""
BOUNDED = [
    name
    for name, options in KNOWN.items()
    if "--max-facts" in options and name not in (*SERVERS, *LIKE_LEARN)
]


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    """Create a folder with the files named by the command lines."""
    folder = tmp_path_factory.mktemp("made")
    (folder / "strip.horn").write_text(THEORY)
    (folder / "more.horn").write_text("beside(c, d).\n")
    (folder / "position.fen").write_text(f"{CHESS}\n")
    with Store.create(folder / "strip.sqlite") as store:
        store.put_theory(str(folder / "strip.horn"))
    assert main(["store", "add", str(folder / "strip.sqlite"), "--add", str(folder / "more.horn")]) == 0
    year = Path(hornbook.__file__).parents[2] / "theories" / "firm" / "examples" / "bakery"
    copytree(year, folder / "year")
    copy(year / "01.csv", folder / "month.csv")
    learned = hornbook.learn(folder / "strip.horn")
    learned.rules.save(folder / "strip_rules.horn")
    lessons = hornbook.read_problems("chess")[:3]
    hornbook.learn("chess", lessons).rules.save(folder / "chess_rules.horn")
    chess = Path(hornbook.__file__).parents[2] / "theories" / "chess" / "problems" / "learn.jsonl"
    (folder / "chess.jsonl").write_text("".join(chess.read_text().splitlines(keepends=True)[:3]))
    return folder


@pytest.fixture
def folder(made, tmp_path, monkeypatch) -> Path:
    copytree(made, tmp_path / "here")
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setattr("sys.stdin", StringIO("near(?x, ?y)\n"))
    return tmp_path / "here"


def messages(command: str, *more: str, capsys) -> str:
    main([*command.split(), *LINES[command], *more])
    return " ".join("".join(capsys.readouterr()).split())


@pytest.mark.deep_cases("rules match", "test")
@pytest.mark.parametrize("command", LINES)
def test_the_option_that_a_message_names_is_one_of_the_command(command, folder, monkeypatch, capsys):
    monkeypatch.setattr(Limits.__init__, "__defaults__", (1, None, None))
    found = messages(command, capsys=capsys)
    assert set(re.findall(r"`(--[a-z-]+)`", found)) & set(OPTIONS) <= KNOWN[command]


@pytest.mark.parametrize("command", BOUNDED)
def test_more_facts_than_are_allowed_are_reported(command, folder, capsys):
    found = messages(command, "--max-facts", "1", capsys=capsys)
    assert "more than 1 fact" in found


@pytest.mark.deep_cases("firm report", "problems audit")
@pytest.mark.parametrize("command", BOUNDED)
def test_where_more_are_allowed_nothing_is_reported(command, folder, capsys):
    assert "more than" not in messages(command, "--max-facts", "1000000", capsys=capsys)
