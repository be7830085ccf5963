"""`hornbook problems grade`: exact output."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from hornbook import cli
from hornbook.theories.go.problems import read_problems, shipped

GOLDEN = Path(__file__).parent / "golden"


@pytest.fixture
def answers(tmp_path, monkeypatch):
    """Write one wrong answer for each kind of problem, and omit one. The other answers are right."""
    monkeypatch.chdir(tmp_path)
    lines = []
    seen: dict[tuple[str | None, int | None], int] = {}
    for problem in read_problems(shipped("train")):
        kind = (problem.value, problem.depth)
        seen[kind] = seen.get(kind, 0) + 1
        move = problem.letters(problem.winning_moves[0]) if problem.winning_moves else None
        if seen[kind] == 1:
            lines.append({"id": problem.id, "value": "GG", "move": problem.letters(problem.target)})
        elif seen[kind] > 2:
            lines.append({"id": problem.id, "value": problem.value, "move": move, "rule": "r"})
    path = tmp_path / "answers.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def test_the_table(answers, capsys):
    assert cli.main(["problems", "grade", str(shipped("train")), str(answers)]) == 1
    printed = capsys.readouterr().out
    expected = GOLDEN / "score.txt"
    if os.environ.get("HORNBOOK_UPDATE_GOLDEN"):
        expected.write_text(printed, encoding="utf-8")
    assert printed == expected.read_text(encoding="utf-8")


def test_the_same_as_json(answers, capsys):
    assert cli.main(["problems", "grade", str(shipped("train")), str(answers), "--json"]) == 1
    printed = json.loads(capsys.readouterr().out)
    assert printed["rows"][-1]["problems"] == 448
    assert printed["rows"][-1]["attacker_first"]["wrong"] == len(printed["wrong"])
    assert {"id", "value", "said", "move", "rule", "why"} == printed["wrong"][0].keys()


def test_answers_without_a_mistake_end_well(tmp_path, capsys):
    empty = tmp_path / "answers.jsonl"
    empty.write_text("", encoding="utf-8")
    assert cli.main(["problems", "grade", str(shipped("hundred")), str(empty)]) == 0
    assert capsys.readouterr().out.splitlines()[-1].split()[:5] == ["all", "all", "100", "0", "100"]


def test_a_bad_answer_is_shown_with_its_place(tmp_path, capsys):
    path = tmp_path / "answers.jsonl"
    path.write_text('{"id": "t0055", "value": "maybe"}\n', encoding="utf-8")
    assert cli.main(["problems", "grade", str(shipped("train")), str(path)]) == 1
    error = capsys.readouterr().err
    assert f"{path}:1:26" in error
    assert "`maybe` is not an answer" in error
