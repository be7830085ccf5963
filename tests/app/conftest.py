"""What tests of commands share: a folder to work in, a way to run a command and read what it printed, and rules of Go."""

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
    """An empty folder, in which the test runs."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(capsys):
    """Runs a command, and gives its exit code and what it printed on both streams."""

    def ran(*arguments):
        capsys.readouterr()
        return cli.main(arguments), *capsys.readouterr()

    return ran


@pytest.fixture(scope="session")
def taught(tmp_path_factory):
    """A folder that no test changes, made by the first process that asks: `p.jsonl` has two problems of Go of one move,
    three of two and one that nothing captures, `p.sgf` all but the last, `learned.horn` the rules that they teach, with
    their proofs, and `said.json` what `learn` said."""
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
            with contextlib.chdir(making), contextlib.redirect_stdout(io.StringIO()) as said:
                assert (
                    cli.main(["learn", "go", "--problems", "p.jsonl", "--into", "learned.horn", "--json"])
                    == 0
                )
            (making / "said.json").write_text(said.getvalue(), encoding="utf-8")
            making.rename(place)
    return place
