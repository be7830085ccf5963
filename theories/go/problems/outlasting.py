"""Problems of outlasting an attack: blocks that the bounds of the theory may show to stay on the board."""

from __future__ import annotations

from collections.abc import Iterable

from hornbook.theories.go.play import outlasting
from hornbook.theories.go.play.outlasting import LimitedAttack
from hornbook.theories.go.play.question import OUTLASTED
from hornbook.theories.go.problems.lessons import outlasting_of
from hornbook.theories.go.problems.problem import CaptureProblem
from hornbook.theories.problems import ProofTask

OUTLASTING = " outlasting"
"""Suffix of the names of lessons in outlasting."""


def outlasting_lessons(problems: Iterable[CaptureProblem]) -> list[ProofTask]:
    """Return the problems without a capture whose blocks seem to outlast the attack, as lessons."""
    found = []
    for problem in problems:
        state = LimitedAttack(problem.board, problem.attacker, OUTLASTED)
        if problem.value == "PP" and outlasting.outlasts(state, problem.target):
            name = problem.id + OUTLASTING
            found.append(ProofTask(name, state, outlasting_of(problem), OUTLASTED + 1, OUTLASTED))
    return found
