"""Tests of certified conclusions about positions, with invented predicates, against another program."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.chess.ablation import taking
from benchmarks.chess.answers import RuleSolver as Answering
from hornbook.compiler.learn.invention import InventionResult, invent_predicates
from hornbook.compiler.learn.lessons import Problem
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import GameStatement
from hornbook.theories import chess
from hornbook.theories.chess.play import tactics
from hornbook.theories.chess.problems.lessons import game_of_problem, moves_of, position_of
from hornbook.theories.chess.problems.problem import ChessProblem, parse_problems
from oracles.chess.theory_run import bases, run

pytestmark = pytest.mark.deep

TAKING = Path(chess.__file__).parent / "ahead" / "taking.horn"
SHIPPED = Path(chess.__file__).parent / "problems"


def test_nothing_false_is_derived_with_it():
    tally = run(bases(str(TAKING)), "taking", 6)
    assert not tally.false
    assert not tally.wrong
    assert tally.kinds.total() > 10


def some(file: str, motif: str, count: int) -> list[ChessProblem]:
    path = SHIPPED / f"{file}.jsonl"
    found = parse_problems(path.read_text(encoding="utf-8"), str(path))
    return [each for each in found if each.id.rpartition("-")[0] == motif and moves_of(each)][:count]


@pytest.fixture(scope="module")
def learned() -> InventionResult:
    """Learn from a few hanging pieces and a few mates, without any clause about the effect of a move."""
    taught = [*some("learn", "hanging", 8), *some("learn", "mate1", 4)]
    lessons = [Problem(p.id, "", position_of(p), game_of_problem(p), 1) for p in taught]
    return invent_predicates(taking(load("chess")), tactics, lessons)


def test_mates_are_learned_in_invented_words(learned: InventionResult):
    words = {rule.head.relation for rule in learned.theory.rules}
    assert {"illegal_after_move", "helpless_after_move"} <= words
    rules = [entry.rule for entry in learned.base if isinstance(entry.rule.head, GameStatement)]
    assert max(len(rule.body) for rule in rules) <= 30
    assert all(entry.certificate is not None and entry.certificate.reached for entry in learned.base)


def test_stored_out_problems_are_answered_in_one_match(learned: InventionResult):
    queried = Answering(learned.theory, learned.base)
    problems = [*some("held_out", "hanging", 10), *some("held_out", "mate1", 10)]
    answers = [(problem, queried.answer(problem, 0).move) for problem in problems]
    assert all(move in problem.winning_moves for problem, move in answers if move is not None)
    assert sum(move is not None for _, move in answers) >= 14
