"""`hornbook problems`: the files that it writes and its output."""

from __future__ import annotations

import os
import re

import pytest

from hornbook import cli
from hornbook.theories.go.problems import read_problems

SMALL = ("--size", "5", "--depths", "1,none", "--number", "4")


@pytest.mark.parametrize("suffix", [".jsonl", ".sgf"])
def test_problems_go_into_a_file(suffix, tmp_path, capsys):
    path = tmp_path / f"new{suffix}"
    assert cli.main(["problems", "generate", "go", *SMALL, "--into", str(path)]) == 0
    printed = capsys.readouterr().out
    pattern = r"4 problems in \S+ \(\d GG, \d GP, \d GI, 2 PP\); [\d.]+ s, [\d.]+ a second\n"
    assert re.fullmatch(pattern, printed)
    assert [problem.size for problem in read_problems(path)] == [5] * 4
    again = tmp_path / f"again{suffix}"
    assert (
        cli.main(["problems", "generate", "go", *SMALL, "--into", str(again), "--variations-of", str(path)])
        == 0
    )
    assert {problem.id[:6] for problem in read_problems(again)} <= {p.id for p in read_problems(path)}
    assert all("v" in problem.id for problem in read_problems(again))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["cup", *SMALL], "`cup` has no domain.py, which says how problems of it are made"),
        (["go", "--number", "1", "--depths", "2"], "`2` is not a depth; they are 1, 3, 5, 7, 9, none"),
        (["go", *SMALL, "--engine", "'gnugo"], "`'gnugo` is no command: no closing quotation"),
        (["go", *SMALL, "--variations-of", os.devnull], f"{os.devnull} holds no problem to change"),
    ],
)
def test_what_is_not_there_is_reported(arguments, message, tmp_path, capsys):
    assert cli.main(["problems", *arguments, "--into", str(tmp_path / "x.jsonl")]) == 2
    assert message in " ".join(capsys.readouterr().err.split())


def test_a_go_program_that_is_missing_is_reported(tmp_path, capsys):
    into = ["--into", str(tmp_path / "x.jsonl"), "--engine", "no-such-program --mode gtp"]
    assert cli.main(["problems", "generate", "go", *SMALL, *into]) == 1
    assert capsys.readouterr().err == "error: no-such-program: there is no such Go program\n"


def test_where_problems_cannot_be_written_is_reported_before_they_are_made(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(
        "hornbook.theories.go.domain.Go.make_problems", lambda *_: pytest.fail("made for nothing")
    )
    assert (
        cli.main(["problems", "generate", "go", *SMALL, "--into", str(tmp_path / "nowhere" / "new.jsonl")])
        == 1
    )
    assert "nowhere: there is no such folder" in capsys.readouterr().err
