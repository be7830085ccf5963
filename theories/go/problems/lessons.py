"""Go problems as proof tasks: the game, and the number of the attacker's moves within which it is won."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from hornbook.kb.ast.terms import Atom, Constant
from hornbook.theories.go.problems.problem import CaptureProblem
from hornbook.theories.problems import ProofTask

PART = Path(__file__).parents[1] / "capture" / "capture.horn"
"""Part of the theory of Go that proofs of captures use.

Without the rest, a proof takes a tenth of the time.
"""


def lessons_of(problems: Iterable[CaptureProblem]) -> list[ProofTask]:
    """Return the problems that are captures, as lessons."""
    found = []
    for problem in problems:
        moves = moves_first(problem)
        if moves is not None:
            second = moves_second(problem)
            found.append(ProofTask(problem.id, problem.board, game_of(problem), moves, second))
    return found


def game_of(problem: CaptureProblem) -> Atom:
    """Return the capture of the problem's block."""
    return Atom("take", (Constant(problem.board.name(problem.target)),))


def moves_first(problem: CaptureProblem) -> int | None:
    """Return the number of moves of the attacker playing first, or None if there is no
    capture or none is known.
    """
    return None if problem.depth is None else (problem.depth + 1) // 2


def moves_second(problem: CaptureProblem) -> int | None:
    """Return the same with the defender playing first."""
    return None if problem.depth_defender_first is None else (problem.depth_defender_first + 1) // 2


def saving_of(problem: CaptureProblem) -> Atom:
    """Return the game of saving the same block, whose friend is its owner."""
    return Atom("save", (Constant(problem.board.name(problem.target)),))


def outlasting_of(problem: CaptureProblem) -> Atom:
    """Return the game of keeping the same block on the board for a number of moves of the attacker."""
    return Atom("outlast", (Constant(problem.board.name(problem.target)),))


def against_of(problem: CaptureProblem) -> tuple[Atom, ...]:
    """Return the owner's games, those first whose conclusions hold for any number of moves."""
    return saving_of(problem), outlasting_of(problem)
