"""Problems as what there is to prove: the game, and within how many of the attacker's moves it is won."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from hornbook.kb.ast.terms import Atom, Constant
from hornbook.theories.go.problems.problem import Problem
from hornbook.theories.problems import Lesson

PART = Path(__file__).parents[1] / "capture" / "capture.horn"
"""The part of the theory of Go that proofs of captures use; without the rest of it, each takes a tenth of the time."""


def lessons_of(problems: Iterable[Problem]) -> list[Lesson]:
    """The problems that are captures, as lessons."""
    found = []
    for problem in problems:
        moves = moves_first(problem)
        if moves is not None:
            second = moves_second(problem)
            found.append(Lesson(problem.id, problem.board, game_of(problem), moves, second))
    return found


def game_of(problem: Problem) -> Atom:
    """The capture of the problem's block."""
    return Atom("take", (Constant(problem.board.name(problem.target)),))


def moves_first(problem: Problem) -> int | None:
    """How many moves the attacker needs who plays first, or None where nothing captures or none is known."""
    return None if problem.depth is None else (problem.depth + 1) // 2


def moves_second(problem: Problem) -> int | None:
    """The same where the defender plays first."""
    return None if problem.depth_defender_first is None else (problem.depth_defender_first + 1) // 2


def saving_of(problem: Problem) -> Atom:
    """The same block, to be saved: its owner is the friend."""
    return Atom("save", (Constant(problem.board.name(problem.target)),))
