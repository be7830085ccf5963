"""Folders of tables, in every command that takes facts."""

from __future__ import annotations

import re
from io import StringIO
from pathlib import Path

import pytest

THEORY = """theory roads.
sort town.
static road(town, town, int).
static big(town).
derived far(town).
derived near(town, town).
near_by_road: near(?x, ?y) :- road(?x, ?y, ?n), ?n < 5.
far_off: far(?x) :- big(?x), near(?x, _).
"""


@pytest.fixture(autouse=True)
def given(folder: Path) -> Path:
    Path("roads.horn").write_text(THEORY)
    there = Path("given")
    there.mkdir()
    (there / "road.facts").write_text("a\tb\t3\nb\tc\t7\n")
    (there / "big.csv").write_text("town\na\n")
    return there


@pytest.mark.parametrize(
    "command",
    [
        ("query", "roads.horn", "far(a)"),
        ("why", "roads.horn", "far(a)"),
        ("why-not", "roads.horn", "far(b)"),
        ("repl", "roads.horn"),
        ("run", "roads.horn", "--into", "out"),
        ("kb", "add", "roads.sqlite"),
    ],
)
def test_every_command_takes_a_folder(run, monkeypatch, command):
    monkeypatch.setattr("sys.stdin", StringIO("far(?x)\n"))
    run("store", "new", "roads.sqlite", "roads.horn")
    code, out, err = run(*command, "--facts", "given")
    assert code == 0, err
    assert re.search(r"big=given/big.csv: .*1 fact below the header `town`", err)
    assert {"kb": "3 new facts, 3 in all", "run": "far: 1 row", "repl": "?x\na"}.get(command[0], "") in out


def test_a_table_of_what_rules_conclude_is_refused_and_nothing_is_written_among_what_is_read(run, given):
    code, _, err = run("theory", "run", "roads.horn", "--facts", "given", "--into", "given")
    assert code == 2
    assert "the input tables are in given" in " ".join(err.replace("│", " ").split())
    assert not (given / "far.csv").exists()
    (given / "far.csv").write_text("town\na\n")
    code, _, err = run("query", "roads.horn", "far(?x)", "--facts", "given")
    assert code == 1
    assert (
        "given/far.csv: `far` is derived: rules conclude it, so load the relations that they read instead"
        in err
    )
