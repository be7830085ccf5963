"""Tests of the Go learning experiment.

It must run on a few problems, resume after an interruption, and report its results.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Sequence
from pathlib import Path

import pytest

from benchmarks.go.learning import stages
from benchmarks.go.learning.__main__ import run
from benchmarks.go.learning.causes import cause_of, unanswered
from benchmarks.go.learning.course import AnsweredSet, Point, Size
from benchmarks.go.learning.report import answers_table, causes_table, cost_table, seeds_table, wrong_answers
from benchmarks.go.learning.stages import FinishedStage, StageError, Stages
from hornbook import cli
from hornbook.compiler.learn.lessons import RuleLearner
from hornbook.compiler.rules.admission import RuleBase
from hornbook.inputs.theories import load
from hornbook.theories.go.play import tactics
from hornbook.theories.go.problems import read_problems, shipped
from hornbook.theories.go.problems.lessons import PART

FEW = Size(parts=(1,), shipped=1, unseen=1, seeds=(2,), own=1, rest=2, cost=1, repeat=1, failures=1)
"""A small experiment. Its only generated problem has depth 1."""

pytestmark = pytest.mark.deep


def within(words: Sequence[str], folder: Path, good: int) -> FinishedStage:
    """Run a command in this process, which is faster than a new one."""
    message = io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stdout(message):
        code = cli.main(words)
    assert code <= good
    return FinishedStage(0.5, 1.0, message.getvalue())


def test_the_whole_runs_and_is_not_done_twice(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(stages, "_run", within)
    learned, queried, again, text = run(Stages(tmp_path), FEW)
    assert [point.point.label for point in learned] == ["1", "1 +1 own", "all 1", "all 1 +1 own"]
    assert [point.seconds for point in learned] == [0.5, 1.0, 1.0, 1.5]
    assert all(point.rules and point.bytes and point.proof_bytes for point in learned)
    assert len(queried) == 2 * 2 + 2 * 4
    assert [each.set for each in again] == ["seed 2"]
    assert "wrong answers in all of this, either side first: 0" in text
    assert "These figures are reached with 1 additional problem." in text
    capsys.readouterr()
    assert run(Stages(tmp_path), FEW)[-1] == text
    lines = capsys.readouterr().err.splitlines()
    assert lines
    assert all(line.endswith("was done before") for line in lines)


def test_a_stage_is_done_again_when_what_it_rests_on_has_changed(tmp_path):
    given = tmp_path / "given"
    given.write_text("1", encoding="utf-8")
    times: list[int] = []

    def result() -> int:
        times.append(1)
        return len(times)

    for _ in range(2):
        assert Stages(tmp_path).compute("it", [given], result).result == 1
    assert Stages(tmp_path).compute("it", [given], result, "other settings").result == 2
    given.write_text("2", encoding="utf-8")
    assert Stages(tmp_path).compute("it", [given], result, "other settings").result == 3


def test_a_command_that_fails_ends_the_run(tmp_path):
    with pytest.raises(StageError, match=r"hornbook problems grade a\.jsonl b\.jsonl: exit code"):
        Stages(tmp_path).command("it", ["problems", "grade", "a.jsonl", "b.jsonl"], [], [])


def test_what_a_learner_proves_when_taught_lacks_only_a_rule():
    easy = next(p for p in read_problems(shipped("hundred")) if p.depth == 1 and p.value == "GP")
    learner = RuleLearner(load(PART), tactics, RuleBase("go"))
    assert cause_of(learner, easy, attacker_first=True) == "no rule"


def test_what_is_unanswered_is_reported_by_who_plays_first():
    named = {problem.id: problem for problem in read_problems(shipped("train"))}
    easy, settled = (next(p for p in named.values() if p.value == value) for value in ("GP", "GG"))
    message = [{"id": easy.id, "value": "unknown"}, {"id": settled.id, "value": "GI"}]
    assert unanswered(named, message) == [(easy.id, True), (settled.id, False)]


def test_causes_are_counted_for_one_match_and_for_a_chain():
    found = [
        {"depth": 5, "attacker_first": True, "chained": chained, "cause": cause, "ko": cause == "reply"}
        for chained, cause in [(False, "no rule"), (False, "reply"), (True, "levels")]
    ]
    table = causes_table({"failures": found, "unanswered": [[False, True, 5, 9], [True, True, 5, 1]]})
    lines = [line.split() for line in table.splitlines()[1:]]
    assert lines[0] == ["one", "match", "attacker", "5", "9", "2", "0", "1", "0", "1", "0", "0", "1"]
    assert lines[1] == ["chain", "attacker", "5", "1", "1", "1", "0", "0", "0", "0", "0", "0"]


def row(value: str | None, depth: int | None, first: list[int], second: list[int]) -> dict[str, object]:
    outcomes = ("right", "unknown", "wrong")
    sides = {
        "attacker_first": dict(zip(outcomes, first, strict=True)),
        "defender_first": dict(zip(outcomes, second, strict=True)),
    }
    return {"value": value, "depth": depth, "problems": sum(first), **sides}


def test_wrong_answers_are_counted_and_reported():
    rows = [
        row("GG", 3, [2, 0, 0], [1, 1, 0]),
        row("PP", None, [0, 4, 1], [0, 5, 0]),
        row(None, 3, [3, 1, 0], [1, 3, 0]),
        row(None, None, [3, 5, 1], [1, 8, 0]),
    ]
    fault = {
        "id": "t1",
        "value": "PP",
        "said": "GI",
        "move": "cd",
        "rule": "r",
        "why": "it cannot be captured",
    }
    queried = AnsweredSet(Point("100", Path()), "the others", 0, [], rows, [fault], 1.0)
    lines = [line.split() for line in answers_table([queried]).splitlines()]
    assert ["100", "3", "4", "3", "1", "0", "75.0", "2", "1", "1", "0", "50.0"] in lines
    assert ["100", "PP", "5", "0", "4", "1", "0.0"] in lines
    message = wrong_answers([queried]).splitlines()
    assert message[0].endswith(": 1")
    assert message[1] == "  100, the others, one match: t1 is PP, said GI cd by r: it cannot be captured"


def test_sets_from_several_seeds_are_counted_together():
    some = [
        [row(None, 3, [3, 1, 0], [1, 3, 0]), row("PP", None, [0, 4, 1], [0, 5, 0])],
        [row(None, 3, [4, 0, 0], [0, 4, 0])],
    ]
    queried = [
        AnsweredSet(Point("100", Path()), f"seed {number}", 0, [], rows, [{}] * (2 - number), 1.0)
        for number, rows in enumerate(some, start=1)
    ]
    lines = [line.split() for line in seeds_table(queried).splitlines()]
    assert lines == [
        ["depth", "3", "PP", "wrong"],
        ["seed", "1", "3", "of", "4", "4", "of", "5", "1"],
        ["seed", "2", "4", "of", "4", "0", "of", "0", "0"],
        ["all", "7", "of", "8", "4", "of", "5", "1"],
        ["%", "87.5", "80.0"],
    ]


def test_costs_state_next_to_those_of_alpha_beta():
    rows = [
        {
            "way": way,
            "depth": 3,
            "problems": 2,
            "right": 2,
            "positions": positions,
            "first": [1.0, 3.0],
            "repeated": [1.0, 1.0],
        }
        for way, positions in (("one match", [1, 1]), ("alpha-beta", [4, 6]))
    ]
    lines = [line.split() for line in cost_table(rows).splitlines()]
    assert lines[1] == ["3", "one", "match", "2", "2", "1.0", "1", "1", "0.200", "2", "2", "1", "1"]
