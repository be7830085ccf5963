"""Problems of Go answered by learned rules: one match of each, or a chain of matches a few levels deep.

Every problem is answered as if it were the only one, so that answers depend neither on their order nor on how many
processes share them.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context

from compiler.answering import STILL_WON, Answerer, Won
from kb.terms import Rule
from kb.theory import Theory
from theories.go import question
from theories.go.problems.lessons import game_of
from theories.go.problems.problem import Problem


@dataclass(frozen=True, slots=True)
class Solved:
    """Why a problem's block is captured: if the attacker starts, and if the defender does; None where unknown."""

    first: Won | None
    second: Won | None
    matched: int

    @property
    def value(self) -> str:
        return "unknown" if self.first is None else "GI" if self.second is None else "GG"


class Solver:
    """Learned rules, ready to be asked about one problem after the other."""

    def __init__(self, theory: Theory, rules: Sequence[Rule]) -> None:
        self.answerer = Answerer(theory, rules, question)

    def solve(self, problem: Problem, levels: int = 0) -> Solved:
        """What the rules conclude, where so many moves of the attacker are tried by themselves."""
        self.answerer.forget()
        return self._solved(problem, levels)

    def at_levels(self, problem: Problem, levels: Sequence[int]) -> list[Solved]:
        """The same at several levels, lowest first; what was matched for one is not matched again for the next."""
        self.answerer.forget()
        return [self._solved(problem, each) for each in levels]

    def _solved(self, problem: Problem, levels: int) -> Solved:
        answerer, board, game = self.answerer, problem.board, game_of(problem)
        first = answerer.won(board, game, levels)
        second = None
        if first is not None:
            second = (
                answerer.still_won(board, game, levels) if levels else answerer.says(board, game, STILL_WON)
            )
        return Solved(first, second, answerer.matched)


def solve_all(
    theory: Theory, rules: Sequence[Rule], problems: Sequence[Problem], levels: Sequence[int], jobs: int
) -> Iterator[list[Solved]]:
    """Every problem in order, each at several levels; the work is shared out to so many processes."""
    if jobs == 1:
        solver = Solver(theory, rules)
        for problem in problems:
            yield solver.at_levels(problem, levels)
        return
    start = (theory, rules, levels)
    with ProcessPoolExecutor(jobs, get_context("spawn"), _begin, start) as pool:
        yield from pool.map(_solve, problems, chunksize=4)


_solvers: list[tuple[Solver, Sequence[int]]] = []
"""The one of this process, where several share the work."""


def _begin(theory: Theory, rules: Sequence[Rule], levels: Sequence[int]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is answered by the process that was asked
    _solvers.append((Solver(theory, rules), levels))


def _solve(problem: Problem) -> list[Solved]:
    solver, levels = _solvers[0]
    return solver.at_levels(problem, levels)
