"""`hornbook solve`: what one match answers, what a chain answers, and that neither asks the reader or the prover."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest

from hornbook import cli
from hornbook.kb.lower import budget
from hornbook.theories.go.problems import read_problems, shipped, write_problems

ALONE = """
import sys

class Refusing:
    def find_spec(self, name, path=None, target=None):
        if name in {refused!r}:
            raise ImportError(f"{{name}} was asked for")

sys.meta_path.insert(0, Refusing())
from hornbook import cli
sys.exit(cli.main(["solve", "go", "--rules", "go.horn", "--problems", "others.jsonl", "--levels", "{levels}", "--json"]))
"""
REFUSED = (
    "hornbook.theories.go.reader",
    "hornbook.theories.go._reading",
    "hornbook.theories.go.play.tactics",
    "hornbook.compiler.prove.winning",
    "hornbook.compiler.prove.opponent",
    "hornbook.compiler.learn.lessons",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Rules learned from some problems, and other problems."""
    place = tmp_path_factory.mktemp("solve")
    found = read_problems(shipped("train"))
    easy = [p for p in found if p.depth in (1, 3)]
    hard = [p for p in found if p.depth == 5 and p.value == "GP"]
    write_problems(easy[:14], place / "p.jsonl")
    escaping = [p for p in found if p.value == "PP"]
    write_problems([*easy[20:32], *hard[:3], *escaping[:5]], place / "others.jsonl")
    assert (
        cli.main(["learn", "go", "--problems", str(place / "p.jsonl"), "--into", str(place / "go.horn")]) == 0
    )
    return place


def solved(folder: Path, levels: int) -> list[dict[str, object]]:
    """The answers of a process that cannot import the reader or the prover."""
    program = ALONE.format(refused=REFUSED, levels=levels)
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=False, timeout=120
    )
    assert (run.returncode, run.stderr) == (0, "")
    return [json.loads(line) for line in run.stdout.splitlines()]


def test_one_match_answers_without_reader_or_prover(folder):
    answers = solved(folder, 0)
    problems = read_problems(folder / "others.jsonl")
    assert [answer["id"] for answer in answers] == [problem.id for problem in problems]
    right = 0
    for problem, answer in zip(problems, answers, strict=True):
        assert answer.keys() == {"id", "value", "move", "rule"}
        assert answer["value"] in ("GG", "GI", "unknown")
        assert (answer["value"] == "unknown") == (answer["move"] is None) == (answer["rule"] is None)
        if answer["move"] is not None:
            assert problem.point(str(answer["move"])) in problem.winning_moves
            assert answer["value"] == "GI" or problem.value == "GG"
            right += 1
    assert right > 8


def test_a_chain_answers_more_and_says_what_it_matched(folder):
    once, twice = solved(folder, 0), solved(folder, 1)
    problems = read_problems(folder / "others.jsonl")
    for problem, answer in zip(problems, twice, strict=True):
        assert int(str(answer["matched"])) >= 1
        if answer["move"] is not None:
            assert problem.point(str(answer["move"])) in problem.winning_moves
    assert {a["id"] for a in once if a["move"]} < {a["id"] for a in twice if a["move"]}


def test_the_answers_can_be_scored(folder, capsys, monkeypatch):
    monkeypatch.chdir(folder)
    assert cli.main(["solve", "go", "--rules", "go.horn", "--problems", "others.jsonl"]) == 0
    printed = capsys.readouterr()
    (folder / "answers.jsonl").write_text(printed.out, encoding="utf-8")
    assert printed.err.startswith("20 problems: ")
    assert cli.main(["score", "others.jsonl", "answers.jsonl"]) == 0


def test_rules_without_a_certificate_are_left_out(folder, tmp_path, capsys):
    claim = (
        "take(?b) by move(?c, ?p) is GI :- named(?b), colour(?b, ?d), opponent(?d, ?c), liberty(?b, ?p).\n"
    )
    (tmp_path / "go.horn").write_text(f"import go.\n\nclaim:\n  {claim}", encoding="utf-8")
    arguments = [
        "solve",
        "go",
        "--rules",
        str(tmp_path / "go.horn"),
        "--problems",
        str(folder / "others.jsonl"),
    ]
    assert cli.main(arguments) == 0
    printed = capsys.readouterr()
    assert all(json.loads(line)["value"] == "unknown" for line in printed.out.splitlines())
    assert "1 rules without certificate left out" in printed.err


def test_what_has_no_problems_is_said_to_have_none(tmp_path, capsys):
    """Before, the rules were made ready to be asked about captures, and an assertion failed."""
    rules = tmp_path / "rules.horn"
    rules.write_text("import family.\n")
    problems = tmp_path / "none.jsonl"
    problems.touch()
    asked = ["--rules", str(rules), "--problems", str(problems)]
    assert cli.main(["solve", "family", *asked]) == 2
    assert cli.main(["profile", str(rules), "--theory", "family", "--problems", str(problems)]) == 2
    assert capsys.readouterr().err.count("`family` has no domain.py, which says what its problems are") == 2
    assert cli.main(["audit", "family", *asked, "--positions", "0"]) == 2
    said = " ".join(capsys.readouterr().err.split())
    assert "`family` has no domain.py, which says how its rules are judged" in said


def test_a_problem_that_takes_too_long_is_unknown_and_its_line_says_why(folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    clock = SimpleNamespace(monotonic=count().__next__)  # a second passes with each position that is matched
    monkeypatch.setattr(budget, "time", clock)
    command = ["solve", "go", "--rules", "go.horn", "--problems", "others.jsonl", "--levels", "2"]
    assert cli.main([*command, "--seconds", "20"]) == 0
    said = capsys.readouterr()
    lines = [json.loads(line) for line in said.out.splitlines()]
    stopped = [line for line in lines if "stopped" in line]
    assert all((line["matched"], line["stopped"]) == (20, "more than 20 seconds") for line in stopped)
    assert {line["value"] for line in stopped} <= {"unknown", "GI"}
    assert f"{len(stopped)} stopped: more than 20 seconds; --seconds and --memory allow more\n" in said.err
    assert 0 < len(stopped) < len(lines)
