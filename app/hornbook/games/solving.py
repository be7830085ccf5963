"""Problems answered by learned rules: one match of each, or a chain of matches a few levels deep.

Every problem is answered as if it were the only one, so that answers depend neither on their order nor on how many
processes share them.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import Any

from hornbook.compiler.match.answering import SECOND_PLAYER_WIN, WON, Answerer, Won
from hornbook.compiler.match.plays import ByTurns, WithPasses
from hornbook.compiler.match.position import Matcher
from hornbook.inputs import options
from hornbook.inputs.domains import the_domain
from hornbook.kb.ast.terms import GameStatement, Rule
from hornbook.kb.ast.theory import Theory
from hornbook.kb.ast.values import Value, combine, negate, value
from hornbook.kb.lower.budget import Budget, SpentError
from hornbook.spread.spawning import spawn_context
from hornbook.terminal.code_exits import exits_are_errors


@dataclass(frozen=True, slots=True)
class Solved:
    """Why a problem's game is won: if its friend starts, and if the opponent does; None where unknown.

    `saved` and `safe` are why the game against it is won: if the opponent starts, and if the friend does. `stopped` says
    which bound was passed where not all was asked: what is None then is not known.
    """

    first: Won | None
    second: Won | None
    matched: int
    saved: Won | None = None
    safe: Won | None = None
    stopped: str | None = None

    @property
    def value(self) -> str:
        """What is known of the game. Raises ContradictionError where it is won and lost."""
        won = _letters(self.first, self.second)
        known = combine(won, negate(_letters(self.saved, self.safe)))
        return str(known) if known in ("GG", "GP", "GI", "PP") else "unknown"

    @property
    def reasons(self) -> tuple[Won, ...]:
        """All that the rules said of it."""
        return tuple(won for won in (self.first, self.second, self.saved, self.safe) if won is not None)


def _letters(first: Won | None, second: Won | None) -> Value:
    """What a game is for a friend who plays first, and for one who plays second."""
    return value("".join("I" if won is None else "G" for won in (first, second)))


class Solver:
    """Learned rules, ready to be asked about one problem after the other, each of which has the whole budget.

    Where one may pass, it is asked too whether the friend wins though the opponent starts.
    """

    def __init__(self, theory: Theory, rules: Sequence[Rule], budget: Budget | None = None) -> None:
        self.domain = the_domain(theory, "what its problems are")
        passing = self.domain.passing
        play = ByTurns(self.domain) if passing is None else WithPasses(passing)
        self.answerer = Answerer(theory, rules, play, budget)
        self._concluded = {r.head.game.predicate for r in rules if isinstance(r.head, GameStatement)}

    @property
    def matcher(self) -> Matcher:
        return self.answerer.matcher

    def solve(self, problem: Any, levels: int = 0) -> Solved:
        """What the rules conclude, where so many moves of the friend are tried by themselves."""
        self.answerer.forget()
        return self._solved(problem, levels)

    def at_levels(self, problem: Any, levels: Sequence[int]) -> list[Solved]:
        """The same at several levels, lowest first; what was matched for one is not matched again for the next."""
        self.answerer.forget()
        return [self._solved(problem, each) for each in levels]

    def _solved(self, problem: Any, levels: int) -> Solved:
        answerer, asked = self.answerer, self.domain.asked(problem)
        state, game, other = asked.state, asked.game, asked.against
        first, second, saved, safe, stopped = None, None, None, None, None
        try:
            first = answerer.won(state, game, levels)
            if first is not None and self.domain.passing is not None:
                second = (
                    answerer.second_player_win(state, game, levels)
                    if levels
                    else answerer.says(state, game, SECOND_PLAYER_WIN)
                )
            matched = answerer.matched
            if other is not None and other.predicate in self._concluded and second is None:
                # The position is matched already; only what is asked about it is another game.
                saved, safe = answerer.says(state, other, WON), answerer.says(state, other, SECOND_PLAYER_WIN)
                answerer.matched = matched
        except SpentError as problem_with_it:
            stopped = str(problem_with_it)
        return Solved(first, second, answerer.matched, saved, safe, stopped)


def solve_all(
    theory: Theory, rules: Sequence[Rule], problems: Sequence[Any], levels: Sequence[int], workers: int
) -> Iterator[list[Solved]]:
    """Every problem in order, each at several levels; the work is shared out to so many processes."""
    if workers == 1:
        solver = Solver(
            theory, rules, Budget(seconds=options.SEARCH_SECONDS, megabytes=options.SEARCH_MEGABYTES)
        )
        for problem in problems:
            yield solver.at_levels(problem, levels)
        return
    start = (theory, rules, levels)
    with ProcessPoolExecutor(workers, spawn_context(), _begin, start) as pool:
        yield from pool.map(_solve, problems, chunksize=4)


_solvers: list[tuple[Solver, Sequence[int]]] = []
"""The one of this process, where several share the work."""


def _begin(theory: Theory, rules: Sequence[Rule], levels: Sequence[int]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is answered by the process that was asked
    budget = Budget(seconds=options.SEARCH_SECONDS, megabytes=options.SEARCH_MEGABYTES)
    _solvers.append((Solver(theory, rules, budget), levels))


@exits_are_errors
def _solve(problem: Any) -> list[Solved]:
    solver, levels = _solvers[0]
    return solver.at_levels(problem, levels)
