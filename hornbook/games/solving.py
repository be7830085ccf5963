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

from hornbook.compiler.match.answering import STILL_WON, WON, Answerer, Won
from hornbook.inputs.opening import SEARCH_MEGABYTES, SEARCH_SECONDS
from hornbook.kb.ast.terms import GameStatement, Rule
from hornbook.kb.ast.theory import Theory
from hornbook.kb.ast.values import Value, combine, negate, value
from hornbook.kb.lower.budget import Budget, SpentError
from hornbook.theories.go import question
from hornbook.theories.go.problems.lessons import game_of, saving_of
from hornbook.theories.go.problems.problem import Problem


@dataclass(frozen=True, slots=True)
class Solved:
    """Why a problem's block is captured: if the attacker starts, and if the defender does; None where unknown.

    `saved` and `safe` are why it is not: if the defender starts, and if the attacker does. `stopped` says which bound was
    passed where not all was asked: what is None then is not known.
    """

    first: Won | None
    second: Won | None
    matched: int
    saved: Won | None = None
    safe: Won | None = None
    stopped: str | None = None

    @property
    def value(self) -> str:
        """What is known of the capture. Raises ContradictionError where it is won and lost."""
        taken = _letters(self.first, self.second)
        known = combine(taken, negate(_letters(self.saved, self.safe)))
        return str(known) if known in ("GG", "GP", "GI", "PP") else "unknown"

    @property
    def reasons(self) -> tuple[Won, ...]:
        """All that the rules said of it."""
        return tuple(won for won in (self.first, self.second, self.saved, self.safe) if won is not None)

    @property
    def saving_rule(self) -> str | None:
        """The rule by which the block is not captured."""
        said = self.safe or self.saved
        return None if said is None else said.rule


def _letters(first: Won | None, second: Won | None) -> Value:
    """What a game is for a friend who plays first, and for one who plays second."""
    return value("".join("I" if won is None else "G" for won in (first, second)))


class Solver:
    """Learned rules, ready to be asked about one problem after the other, each of which has the whole budget."""

    def __init__(self, theory: Theory, rules: Sequence[Rule], budget: Budget | None = None) -> None:
        self.answerer = Answerer(theory, rules, question, budget)
        self.knows_saving = any(
            isinstance(rule.head, GameStatement) and rule.head.game.predicate == "save" for rule in rules
        )

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
        first, second, saved, safe, stopped = None, None, None, None, None
        try:
            first = answerer.won(board, game, levels)
            if first is not None:
                second = (
                    answerer.still_won(board, game, levels)
                    if levels
                    else answerer.says(board, game, STILL_WON)
                )
            matched = answerer.matched
            if self.knows_saving and second is None:
                # The position is matched already; only what is asked about it is another game.
                other = saving_of(problem)
                saved, safe = answerer.says(board, other, WON), answerer.says(board, other, STILL_WON)
                answerer.matched = matched
        except SpentError as problem_with_it:
            stopped = str(problem_with_it)
        return Solved(first, second, answerer.matched, saved, safe, stopped)


def solve_all(
    theory: Theory, rules: Sequence[Rule], problems: Sequence[Problem], levels: Sequence[int], jobs: int
) -> Iterator[list[Solved]]:
    """Every problem in order, each at several levels; the work is shared out to so many processes."""
    if jobs == 1:
        solver = Solver(theory, rules, Budget(seconds=SEARCH_SECONDS, megabytes=SEARCH_MEGABYTES))
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
    budget = Budget(seconds=SEARCH_SECONDS, megabytes=SEARCH_MEGABYTES)
    _solvers.append((Solver(theory, rules, budget), levels))


def _solve(problem: Problem) -> list[Solved]:
    solver, levels = _solvers[0]
    return solver.at_levels(problem, levels)
