"""Tests that answers are judged by the rules of the problem format."""

from __future__ import annotations

import json

import pytest

from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.theories.go.problems import CaptureProblem, read_problems, shipped
from hornbook.theories.go.problems.score import CaptureAnswer, judge, judge_all, parse_answers, tally
from hornbook.theories.go.reader import CaptureSearch

PROBLEMS = {problem.id: problem for problem in read_problems(shipped("train"))}


def of(value: str, depth: int | None = None) -> CaptureProblem:
    found = (p for p in PROBLEMS.values() if p.value == value and depth in (None, p.depth))
    return next(found)


def judged(problem: CaptureProblem, value: str, move: str | None = None) -> tuple[str, str]:
    judgement = judge(problem, CaptureAnswer(problem.id, value, move))  # type: ignore[arg-type]
    return judgement.attacker_first, judgement.defender_first


def winning(problem: CaptureProblem) -> str:
    return problem.letters(problem.winning_moves[0])


@pytest.mark.parametrize(
    ("value", "messages", "expected"),
    [
        ("GG", "GG", ("right", "right")),
        ("GG", "GI", ("right", "unknown")),
        ("GG", "GP", ("right", "wrong")),
        ("GG", "PP", ("wrong", "wrong")),
        ("GP", "GP", ("right", "right")),
        ("GP", "GG", ("right", "wrong")),
        ("GP", "unknown", ("unknown", "unknown")),
        ("GI", "GG", ("right", "unknown")),
        ("GI", "PP", ("wrong", "unknown")),
        ("PP", "PP", ("right", "right")),
        ("PP", "unknown", ("unknown", "unknown")),
    ],
)
def test_values(value, messages, expected):
    problem = of(value)
    move = winning(problem) if problem.winning_moves else None
    assert judged(problem, messages, move) == expected


def test_a_capture_of_what_cannot_be_captured_is_wrong_whatever_the_move():
    problem = of("PP")
    assert judged(problem, "GI", problem.letters(min(problem.block.liberties)))[0] == "wrong"


def test_a_move_that_does_not_capture_is_wrong_and_so_is_none():
    problem = of("GP", 3)
    listed = problem.winning_moves
    losing = next(
        p for p in problem.board.points() if problem.board.colours[p] == "empty" and p not in listed
    )
    assert judged(problem, "GP", problem.letters(losing))[0] == "wrong"
    assert judged(problem, "GP", problem.letters(problem.target))[0] == "wrong"
    assert judged(problem, "GP")[0] == "wrong"


def test_a_move_that_is_not_listed_is_judged_by_search():
    problem = of("GP", 7)
    unlisted = CaptureProblem(
        problem.id, problem.board, problem.target, "GP", 7, None, problem.winning_moves[1:]
    )
    assert CaptureSearch(problem.board, problem.target).captured_within(4)
    assert len(problem.winning_moves) > 1
    assert judged(unlisted, "GP", winning(problem))[0] == "right"


def test_rows_count_every_problem_once():
    problems = list(PROBLEMS.values())
    answers = {p.id: CaptureAnswer(p.id, "GI", winning(p)) for p in problems if p.winning_moves}
    rows = tally(judge_all(problems, answers))
    assert rows[-1].problems == 448
    assert rows[-1].attacker_first == {"right": 348, "unknown": 100, "wrong": 0}
    assert sum(row.problems for row in rows if row.value is not None) == 448
    assert sum(row.problems for row in rows if row.value is None) == 348 + 448


@pytest.mark.parametrize(
    ("line", "shown", "message"),
    [
        ({"id": "nobody", "value": "GG"}, '"nobody"', "there is no problem `nobody`"),
        ({"id": "t0055", "value": "G"}, '"G"', "`G` is not an answer"),
        ({"id": "t0055"}, "{", "`value` is missing"),
        ({"id": "t0055", "value": "GG", "move": "zz"}, '"zz"', "`zz` is not a point of this board"),
        ({"id": "t0055", "value": "GG", "move": 3}, "3", "`move` is a text"),
        ({"id": "t0027", "value": "GG"}, '"t0027"', "`t0027` is answered already"),
    ],
)
def test_an_answer_that_is_none_is_reported_with_its_place(line, shown, message):
    text = f'{{"id": "t0027", "value": "unknown"}}\n{json.dumps(line)}'
    with pytest.raises(TheoryError) as caught:
        parse_answers(text, PROBLEMS, "answers.jsonl")
    (diagnostic,) = caught.value.diagnostics
    assert message in diagnostic.message
    assert (diagnostic.span.file, diagnostic.span.line) == ("answers.jsonl", 2)
    assert json.dumps(line)[diagnostic.span.column - 1 :].startswith(shown)
