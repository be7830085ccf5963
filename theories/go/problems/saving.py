"""Problems of saving a block: the number of its owner's moves, as found by a search on the board.

Most blocks of problems run out into the open, and are not saved in this sense; then there
is nothing to prove.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from hornbook.theories.go.play import eyes
from hornbook.theories.go.problems.lessons import saving_of
from hornbook.theories.go.problems.problem import CaptureProblem
from hornbook.theories.problems import ProofTask

PART = Path(__file__).parents[1] / "safety" / "safety.horn"
"""Part of the theory of Go that proofs of safety use."""
MOST_MOVES = 1
"""Maximal number of the owner's moves that is searched."""
SAVED = " saved"
"""Suffix of the names of lessons in saving."""


def saving_lessons(problems: Iterable[CaptureProblem]) -> list[ProofTask]:
    """Return the problems whose blocks are saved within a few moves, as lessons."""
    found = []
    for problem in problems:
        moves = moves_to_save(problem)
        if moves is not None:
            second = moves_to_save_second(problem)
            found.append(ProofTask(problem.id + SAVED, problem.board, saving_of(problem), moves, second))
    return found


def moves_to_save(problem: CaptureProblem) -> int | None:
    """Return the number of moves that make the block safe with its owner playing first, or None
    if none were found.
    """
    if problem.value == "GG":
        return None
    board, target = problem.board, problem.target
    return next((k for k in range(1, MOST_MOVES + 1) if eyes.saving_moves(board, target, k)), None)


def moves_to_save_second(problem: CaptureProblem) -> int | None:
    """Return the same with the attacker playing first."""
    if problem.value in ("GG", "GP", "GI"):
        return None
    board, target = problem.board, problem.target
    return next((k for k in range(MOST_MOVES + 1) if eyes.is_saved(board, target, k)), None)
