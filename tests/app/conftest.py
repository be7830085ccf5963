"""Fixtures for tests of commands: a working folder, a function that runs a command, and rules of Go."""

from __future__ import annotations

import contextlib
import fcntl
import io
import os

import pytest

from hornbook import cli
from hornbook.theories.go.problems import read_problems, shipped, write_problems


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Create an empty working folder for the test."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(capsys):
    """Return a function that runs a command and returns its exit code and its output on both streams."""

    def ran(*arguments):
        capsys.readouterr()
        return cli.main(arguments), *capsys.readouterr()

    return ran


@pytest.fixture(scope="session")
def taught(tmp_path_factory):
    """Create a folder that no test changes, in the first process that needs it.

    The file `p.jsonl` has two Go problems of one move, three of two moves and one without a capture. The
    file `p.sgf` has all but the last. The rules learned from them are in `learned.horn`, with their proofs.
    The output of `learn` is in `said.json`.
    """
    base = tmp_path_factory.getbasetemp()
    base = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    place, making = base / "taught", base / "being_taught"
    with (base / "taught.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not place.exists():
            making.mkdir()
            found = read_problems(shipped("train"))
            easy = [*[p for p in found if p.depth == 1][:2], *[p for p in found if p.depth == 3][:3]]
            write_problems([*easy, next(p for p in found if p.value == "PP")], making / "p.jsonl")
            write_problems(easy, making / "p.sgf")
            with contextlib.chdir(making), contextlib.redirect_stdout(io.StringIO()) as printed:
                assert (
                    cli.main(["learn", "go", "--problems", "p.jsonl", "--into", "learned.horn", "--json"])
                    == 0
                )
            (making / "said.json").write_text(printed.getvalue(), encoding="utf-8")
            making.rename(place)
    return place
