"""`hornbook problems demo` on a few problems: exact output except for times, and the stored files."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from hornbook import cli
from hornbook.commands.problems import demo as command
from hornbook.games.demonstration import demonstrate
from hornbook.theories.go.problems import read_problems, shipped
from hornbook.theories.go.problems.problem import CaptureProblem

GOLDEN = Path(__file__).parent / "golden" / "demo.txt"
SECONDS = re.compile(r"^\d+ s to learn, \d+ s in all$", re.MULTILINE)


def handful() -> tuple[list[CaptureProblem], list[CaptureProblem]]:
    """Return problems of one and two moves to learn from, and others.

    No move captures in one of the others.
    """
    found = read_problems(shipped("train"))
    by_depth = {depth: [p for p in found if p.depth == depth and p.value == "GP"] for depth in (1, 3)}
    others = [*by_depth[1][1:4], *by_depth[3][3:10], next(p for p in found if p.value == "PP")]
    return [*by_depth[1][:1], *by_depth[3][:3]], others


@pytest.fixture
def few(folder, monkeypatch):
    """Run the command with few problems, in one process and without the SGF reader.

    The extra `go` is not needed.
    """
    monkeypatch.setitem(sys.modules, "sgfmill", None)
    monkeypatch.setattr(command, "problems", handful)
    monkeypatch.setattr(command, "PROCESSES", 1)
    return folder


@pytest.mark.deep
def test_what_is_printed_and_stored(run, few):
    code, out, err = run("problems", "demo", "--into", "kept")
    assert code == 0
    learning, learned = err.splitlines()
    assert learning == "learning from 4 problems of Go, to answer 11 others ..."
    assert re.fullmatch(r"learned \d+ rules; answering 11 problems by them \.\.\.", learned)
    out, times = SECONDS.subn("SECONDS", out)
    assert times == 1
    if os.environ.get("HORNBOOK_UPDATE_GOLDEN"):
        GOLDEN.write_text(out, encoding="utf-8")
    assert out == GOLDEN.read_text(encoding="utf-8")
    assert cli.main(["rules", "verify", "kept/rules.horn", "--theory", "go"]) == 0
    others = handful()[1]
    for name in ("answers-one-match.jsonl", "answers-two-levels.jsonl"):
        answers = [json.loads(line) for line in (few / "kept" / name).read_text().splitlines()]
        assert [answer["id"] for answer in answers] == [problem.id for problem in others]
    pictures = sorted((few / "kept").glob("*.svg"))
    assert [picture.name for picture in pictures] == ["position-1.svg", "position-2.svg"]
    for picture in pictures:
        assert ET.parse(picture).getroot().tag.endswith("svg")


def test_the_same_as_json(run, few):
    code, out, _ = run("problems", "demo", "--json", "--seed", "7")
    report = json.loads(out)
    assert code == 0
    assert report["learned"]["problems"] == 4
    assert report["scores"]["one match"][-1]["problems"] == 11
    assert (report["wrong"], report["written"]) == ([], [])
    assert [position["depth"] for position in report["positions"]] == [1, 3]
    by_id = {problem.id: problem for problem in handful()[1]}
    for position in report["positions"]:
        problem = by_id[position["problem"]]
        (move,) = next(mark["points"] for mark in position["marks"] if mark["role"] == "move")
        assert problem.board.point(move) in problem.winning_moves
        assert position["lines"][0] == f"{position['move']}  [{position['rule']}]"


@pytest.mark.deep
def test_processes_change_nothing_and_the_seed_what_is_shown():
    learn_from, others = (problems[:6] for problems in handful())
    learn_from = learn_from[:2]
    runs = [
        demonstrate(learn_from, others, seed=seed, workers=workers, file="p.jsonl")
        for seed, workers in ((1, 1), (5, 2))
    ]
    assert runs[0].answers == runs[1].answers
    assert runs[0].base == runs[1].base
    assert [s.problem.id for s in runs[0].shown] != [s.problem.id for s in runs[1].shown]


def test_a_wrong_answer_is_reported(run, few, monkeypatch):
    wrong = '{"id": "%s", "value": "GG", "move": null, "rule": null}'

    def answered(
        _theory: object, _base: object, problems: list[CaptureProblem], _jobs: int
    ) -> dict[str, list[str]]:
        return {way: [wrong % problem.id for problem in problems] for way in ("one match", "two levels")}

    monkeypatch.setattr("hornbook.games.demonstration._answered", answered)
    code, out, _ = run("problems", "demo")
    assert code == 1
    assert out.count("\nwrong: ") == 22


def test_a_folder_that_cannot_be_made_is_reported_before_anything_is_learned(run, few):
    (few / "kept").write_text("", encoding="utf-8")
    code, out, err = run("problems", "demo", "--into", "kept")
    assert (code, out) == (1, "")
    assert err == "error: kept: it is a file, and no folder\n"


def test_the_problems_that_ship_are_a_hundred_and_others():
    learn_from, others = command.problems()
    assert (len(learn_from), len(others)) == (100, 348)
    assert not {p.id for p in learn_from} & {p.id for p in others}
    assert not {(p.board, p.block) for p in learn_from} & {(p.board, p.block) for p in others}
