"""Tests of the shipped rules of blocks that outlast an attack: what they answer, and an independent search."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

import pytest

from hornbook.games.solving import ProblemSolver
from hornbook.inputs.opening_store import with_rules
from hornbook.inputs.theories import load
from hornbook.theories.go import adapter
from hornbook.theories.go.domain import DOMAIN
from hornbook.theories.go.play.question import OUTLASTED
from hornbook.theories.go.problems import read_problems, shipped
from hornbook.theories.go.problems.making.generator import GenerationPlan, generate
from hornbook.theories.go.problems.problem import CaptureProblem
from hornbook.theories.go.reader import captured_within
from hornbook.theories.go.states.board import Colour, GoBoard
from hornbook.theories.go.states.diagram import parse_diagram
from oracles.go.capture_twin import random_position
from oracles.go.outlasting_truth import Siege
from oracles.go.plain_go import OTHER

FOLDER = Path(adapter.__file__).parent
RULES = FOLDER / "safety" / "outlasted.horn"
COLOURS: dict[str, Colour] = {"X": "black", "O": "white", ".": "empty"}


@cache
def solver() -> ProblemSolver:
    learned = with_rules("outlasting", RULES)
    return ProblemSolver(
        learned.theory, [entry.answering for entry in learned.active_base if entry.is_certified]
    )


def said_to_last(problems: list[CaptureProblem]) -> list[CaptureProblem]:
    """Return the problems to which the shipped rules answer `PP`."""
    found = list(solver().solve_each(problems))
    assert {each.value for each in found} <= {"PP", "unknown"}
    return [problem for problem, solved in zip(problems, found, strict=True) if solved.value == "PP"]


def stays(problem: CaptureProblem) -> bool:
    siege = Siege(problem.board, problem.target)
    return siege.stays(problem.board, OUTLASTED, first=problem.attacker)


# The shipped rules


def test_the_shipped_rules_prove_45_of_the_shipped_blocks_and_a_plain_search_confirms_each():
    problems = list(read_problems(shipped("train")))
    found = said_to_last(problems)
    assert len(found) == 45
    assert all(problem.value == "PP" for problem in found)
    assert [problem.id for problem in found if not stays(problem)] == []


@pytest.mark.deep
def test_a_plain_search_confirms_each_new_block_that_is_said_to_last():
    problems = list(generate(GenerationPlan(40, 1, depths=(None,))))
    found = said_to_last(problems)
    assert len(found) >= 10
    for problem in found:
        assert stays(problem), problem.id
        assert not captured_within(problem.board, problem.target, OUTLASTED), problem.id


def test_moves_are_counted_only_in_queries_about_outlasting():
    board = parse_diagram(". . . . .\n. . X . .\n. X O . .\n. . X . .\n. . . . .")
    for theory, counted in (("go", False), ("outlasting", True)):
        for query in DOMAIN.questions(board, load(theory)):
            relations = {name for part in query.parts for name, _ in part.rows()}
            assert ("remaining" in relations) == counted
            assert ("outlast" in {game.predicate for game in query.games}) == counted


# The plain search


@pytest.mark.parametrize("side", [3, pytest.param(4, marks=pytest.mark.deep)])
def test_a_bound_of_liberties_changes_no_result_of_the_search(side):
    random, results = Random(side), set[bool]()
    for _ in range(60 if side == 3 else 25):
        text, ko, _ = random_position(random, side, side, random.randint(3, side * side))
        board = GoBoard(side, side, tuple(COLOURS[letter] for letter in text), ko)
        stone = next((point for point in board.points() if text[point] != "."), None)
        if stone is None or ko is not None:
            continue
        for moves in range(1, 4):
            for first in OTHER:
                found = Siege(board, stone).stays(board, moves, first=first)
                assert found == Siege(board, stone, bounded=False).stays(board, moves, first=first)
                assert not (found and captured_within(board, stone, moves, first=first)), board
                results.add(found)
    assert results == {True, False}


def test_the_search_knows_an_escape_from_a_ladder():
    board = parse_diagram(". . . . .\n. . X . .\n. X O . .\n. . X . .\n. . . . .")
    stone = board.point("c3")
    assert not Siege(board, stone).stays(board, 1, first="black")
    assert Siege(board, stone).stays(board, 1, first="white")
    assert not Siege(board, stone).stays(board, 5, first="white")
