"""Messages about lemmas that are not used."""

from __future__ import annotations

from pathlib import Path

import pytest

from hornbook import cli
from hornbook.inputs.theories import load, unproved_message
from hornbook.web.service.messages import Setup
from hornbook.web.service.opened import opened

THEORY = """theory small.
sort thing.
static a(thing).
derived b(thing).
derived c(thing).
b: b(?x) :- a(?x).
c: c(?x) :- b(?x).
lemma first: c(?x) :- a(?x).
lemma second: b(?x) :- c(?x).
a(one).
"""
MESSAGE = "2 lemmas without a proof are not used, such as `first` (small.horn:8); `hornbook rules prove small.horn` looks for proofs"


@pytest.fixture(autouse=True)
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    Path("small.horn").write_text(THEORY)


def test_the_first_is_named_and_the_way_out():
    assert unproved_message(load("small.horn")) == MESSAGE
    assert cli.main(["rules", "prove", "small.horn"]) == 0
    assert unproved_message(load("small.horn")) is None


def test_each_way_to_open_a_theory_says_it_once(capsys: pytest.CaptureFixture[str]):
    assert opened(Setup("small.horn")).warnings == (MESSAGE,)
    commands = (
        ["query", "small.horn", "c(?x)"],
        ["why", "small.horn", "c(one)"],
        ["theory", "run", "small.horn", "--into", "out"],
        ["theory", "network", "small.horn"],
        ["repl", "small.horn"],
        ["theory", "graph", "small.horn"],
        ["store", "new", "kept.sqlite", "small.horn"],
        ["query", "kept.sqlite", "c(?x)"],
    )
    for command in commands:
        cli.main(command)
        assert capsys.readouterr().err.count(MESSAGE) == 1, command


def test_a_store_uses_the_proofs_next_to_the_theory_that_it_has(capsys: pytest.CaptureFixture[str]):
    assert cli.main(["rules", "prove", "small.horn"]) == 0
    assert cli.main(["store", "new", "kept.sqlite", "small.horn"]) == 0
    capsys.readouterr()
    assert cli.main(["why", "kept.sqlite", "c(one)"]) == 0
    assert capsys.readouterr().err == ""
