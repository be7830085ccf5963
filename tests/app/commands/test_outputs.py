"""Commands with outputs.

Each refuses to overwrite its inputs, a theory, code, proofs or a store, before it starts to work.
"""

from __future__ import annotations

import io
import sqlite3
from pathlib import Path
from typing import Any

import pytest
import typer

from hornbook import command_list
from hornbook.application import build
from hornbook.commands.outputs import OF_THEORIES, OPTIONS

COMMANDS = {
    "firm advise": (("firm", "--state", "june"), ("--into",)),
    "search learn-allocation": (("chess",), ("--into",)),
    "theory bench": ((), ("--into",)),
    "rules compile": (("rules", "--theory", "go"), ("--into",)),
    "problems demo": ((), ("--into",)),
    "rules explain": (("rules", "a_rule", "--theory", "go"), ("--svg",)),
    "search statistics": (("chess", "--positions", "100", "--into", "new.json"), ("--into", "--svg")),
    "theory graph": (("go",), ("--into",)),
    "game import": (("ticTacToe",), ("--into",)),
    "rules match": (("go", "board.txt"), ("--into", "--svg")),
    "new": (("shop",), ("--into",)),
    "theory network": (("rules", "--theory", "go"), ("--svg",)),
    "play": (("chess",), ("--save",)),
    "problems generate": (("go", "-n", "1"), ("--into",)),
    "query": (("go", "stone(?a, ?b)"), ("--into",)),
    "firm report": (("firm", "year"), ("--into",)),
    "theory report": (("go", "stone(?a, ?b)"), ("--into",)),
    "theory run": (("go",), ("--into",)),
    "problems solve": (("go", "--rules", "rules", "--problems", "a.jsonl"), ("--into",)),
    "game strategy": (("ticTacToe",), ("--into", "--refutation", "--svg", "--mermaid", "--html")),
    "game plan": (("blocks", "blocks-tower"), ("--into",)),
    "search best-move": (("chess", "--position", "start"), ("--trace",)),
    "search plan": (("chess", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"), ("--into", "--svg", "--pgn")),
    "search tournament": (("deepening", "uct", "--into", "new.jsonl"), ("--into", "--svg")),
    "why": (("go", "stone(a, b)"), ("--html",)),
}
"""Every command with outputs other than theories: its required arguments and its output options."""
OUTPUTS = [(command, option) for command, (_, options) in COMMANDS.items() for option in options]


def test_every_output_of_a_command_is_in_the_table():
    found = [
        (name, option)
        for name in command_list.COMMANDS
        for command in [_command(name)]
        for each in command.params
        for option in each.opts
        if option in OPTIONS and not command.callback.__module__.endswith(OF_THEORIES)
    ]
    assert sorted(found) == sorted(OUTPUTS)


def _command(name: str) -> Any:
    """Return the Click command that Typer builds."""
    command: Any = typer.main.get_command(build(name.split()))
    for word in name.split():
        command = command.commands[word]
    return command


@pytest.fixture
def files(folder: Path) -> dict[str, bytes]:
    """Create files that must stay unchanged, under many spellings, and return their contents."""
    for name in ("own.horn", "adapter.py", "own.proofs.jsonl"):
        Path(name).write_text("kept", encoding="utf-8")
    with sqlite3.connect("kept.data") as database:
        database.execute("CREATE TABLE facts(thing)")
    Path("sub").mkdir()
    Path("link.svg").symlink_to("own.horn")
    return content(folder)


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


STORED = ("link.svg", "adapter.py", "kept.data")
SPELLINGS = ("own.horn", "sub/../own.horn", "./own.horn", "OWN.HORN", "new.horn", "own.proofs.jsonl")


@pytest.mark.parametrize(
    ("command", "option", "target"),
    [
        *((*output, target) for output in OUTPUTS for target in STORED),
        *(("theory graph", "--into", target) for target in SPELLINGS),
    ],
)
def test_an_output_that_would_replace_a_stored_file_is_refused(run, folder, files, command, option, target):
    code, out, err = run(*command.split(), *COMMANDS[command][0], option, target)
    assert (code, out) == (2, "")
    assert option in err
    assert content(folder) == files


@pytest.mark.parametrize(
    "command",
    [
        ("problems", "go", "-n", "1", "--variations-of", "a.jsonl", "--into", "./a.jsonl"),
        ("solve", "go", "--rules", "rules", "--problems", "a.jsonl", "--into", "link.jsonl"),
        ("learn", "go", "--problems", "a.jsonl", "--into", "sub/../a.jsonl"),
        ("match", "go", "a.jsonl", "--svg", "a.jsonl"),
        ("why", "go", "stone(a, b)", "--facts", "stone=a.jsonl", "--html", "a.jsonl"),
        ("tournament", "deepening", "uct", "--openings", "a.jsonl", "--into", "a.jsonl"),
        ("think", "chess", "--position", "a.jsonl", "--trace", "a.jsonl"),
        ("strategy", "ticTacToe", "--into", "new.txt", "--html", "sub/../new.txt"),
        ("gather", "chess", "--positions", "100", "--into", "new.json", "--svg", "./new.json"),
        ("kb", "export", "a.jsonl", "./a.jsonl"),
        ("import-pydatalog", "a.jsonl", "--into", "sub/../a.jsonl", "--force"),
    ],
)
def test_an_output_never_replaces_an_input_or_another_output(run, folder, files, command):
    Path("a.jsonl").write_text("kept", encoding="utf-8")
    Path("link.jsonl").symlink_to("a.jsonl")
    before = content(folder)
    code, out, err = run(*command)
    assert (code, out) == (2, "")
    assert "give another name" in err
    assert content(folder) == before


def test_a_game_that_goes_on_is_saved_where_it_was(run, folder, monkeypatch):
    Path("game.pgn").write_text("1. e4 *\n", encoding="utf-8")
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    code, _, err = run("play", "chess", "--resume", "game.pgn", "--save", "game.pgn")
    assert "give another name" not in err
    assert code == 0
