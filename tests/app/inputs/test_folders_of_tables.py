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


def test_many_tables_are_reported_in_one_line(run, given):
    names = [f"town_{number}" for number in range(10)]
    Path("roads.horn").write_text(
        THEORY + "".join(f"static {name}(town -> int) complete.\n" for name in names)
    )
    for number, name in enumerate(names):
        (given / f"{name}.csv").write_text("town,int\n" + "".join(f"t{i},{i}\n" for i in range(number)))
    (given / "town_0.csv").write_text("town,int\na,\n")
    code, _, err = run("query", "roads.horn", "far(a)", "--facts", "given")
    assert code == 0
    assert err == (
        "12 tables with 48 facts: big 1, road 2, town_0 0 (1 row without a value), town_1 1, town_2 2, town_3 3, town_4 4, town_5 5"
        " and 4 more\n"
    )
    for name in names[2:]:
        (given / f"{name}.csv").unlink()
    *_, err = run("query", "roads.horn", "far(a)", "--facts", "given")
    lines = err.splitlines()
    assert [line.partition(":")[0] for line in lines[:3]] == [
        f"{name}=given/{name}.csv" for name in ("big", "town_0", "town_1")
    ]
    assert lines[3].startswith(
        "warning: nothing is given of `town_2` (roads.horn:11), `town_3` (roads.horn:12),"
    )
    assert "`town_9` (roads.horn:18), which are declared complete" in lines[3]


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
