"""Answers to problems by learned rules: one match of each, or a chain of matches with several levels.

Every problem is answered independently, so the answers do not depend on their order or the number of
processes.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any

from hornbook.compiler.match.position import RuleMatcher, SharedRules
from hornbook.compiler.match.states import FEW, Stated
from hornbook.inputs.domains import the_domain
from hornbook.kb.ast.terms import SECOND_PLAYER_WIN, WON, Atom, GameStatement, Rule
from hornbook.kb.ast.theory import Theory
from hornbook.kb.ast.values import Value, combine, negate, value
from hornbook.kb.lower.budget import Budget, SpentError
from hornbook.matcher.program.dataclass import dataclass
from hornbook.play.answering.answering import Answerer, MatchedWin, Search
from hornbook.play.answering.plays import ByTurns, WithPasses
from hornbook.play.answering.together import TOGETHER, together
from hornbook.terminal.code_exits import exits_are_errors
from hornbook.theories.problems import ProblemQuery

BLOCK = 500
"""The number of problems that are matched together."""


@dataclass(frozen=True, slots=True)
class SolvedProblem:
    """The reasons why a problem's game is won, if its friend moves first or second; None if unknown.

    `saved` and `safe` are the reasons why an opposing game is won, if the opponent moves first or second.
    `stopped` is the exceeded limit if some queries were skipped. Then None means unknown.
    """

    first: MatchedWin | None
    second: MatchedWin | None
    matched: int
    saved: MatchedWin | None = None
    safe: MatchedWin | None = None
    stopped: str | None = None

    @property
    def value(self) -> str:
        """The known value of the game. Raises ContradictionError if it is both won and lost."""
        won = _letters(self.first, self.second)
        known = combine(won, negate(_letters(self.saved, self.safe)))
        return str(known) if known in ("GG", "GP", "GI", "PP") else "unknown"

    @property
    def reasons(self) -> tuple[MatchedWin, ...]:
        """All reasons that the rules gave."""
        return tuple(won for won in (self.first, self.second, self.saved, self.safe) if won is not None)


def _letters(first: MatchedWin | None, second: MatchedWin | None) -> Value:
    """Return the value of a game for a friend with the first move, and with the second."""
    return value("".join("I" if won is None else "G" for won in (first, second)))


class ProblemSolver:
    """Learned rules that are queried about one problem after another; each problem has the whole budget.

    If players may pass, the solver also determines whether the friend wins when the opponent moves first.
    """

    def __init__(
        self,
        theory: Theory,
        rules: Sequence[Rule],
        budget: Budget | None = None,
        shared: SharedRules | None = None,
        threads: int | None = None,
    ) -> None:
        self.domain = the_domain(theory, "what its problems are")
        passing = self.domain.passing
        play = ByTurns(self.domain) if passing is None else WithPasses(passing)
        shared = SharedRules() if shared is None else shared
        self.answerer = Answerer(theory, rules, play, budget, shared, threads)
        self._concluded = {r.head.game.predicate for r in rules if isinstance(r.head, GameStatement)}
        self._declared = theory.vocabulary.predicates

    @property
    def matcher(self) -> RuleMatcher:
        return self.answerer.matcher

    def solve(self, problem: Any, levels: int = 0) -> SolvedProblem:
        """Return the conclusions of the rules, with `levels` moves of the friend tried by search."""
        (found,) = self.at_levels(problem, (levels,))
        return found

    def solve_each(self, problems: Sequence[Any], levels: int = 0) -> Iterator[SolvedProblem]:
        """Yield what `solve` returns for each problem. Problems are matched in blocks."""
        if levels or len(problems) <= FEW:
            for (found,) in self.each_at_levels(problems, (levels,)):
                yield found
            return
        for first in range(0, len(problems), BLOCK):
            block = problems[first : first + BLOCK]
            for problem, solved in zip(block, self._matched(block), strict=True):
                yield self.solve(problem) if solved is None else solved

    def _matched(self, problems: Sequence[Any]) -> list[SolvedProblem | None]:
        """Return the conclusions of the rules about problems, or None for a problem whose match fails."""
        asked = [self.domain.query_of(problem) for problem in problems]
        queried = [
            [(query.state, game) for game in (query.game, *self._opposing(query)) if self._treats(game)]
            for query in asked
        ]
        play = self.answerer.play
        queries = [play.rule_query(play.compact(state), game) for games in queried for state, game in games]
        found = iter(self.answerer.states.statements(queries))
        return [
            self._from_statements(query, [(game, next(found)) for _, game in games])
            for query, games in zip(asked, queried, strict=True)
        ]

    def _from_statements(
        self, query: ProblemQuery, found: Sequence[tuple[Atom, Stated | BaseException]]
    ) -> SolvedProblem | None:
        """Return the reasons for the values of the queried games of a problem."""
        solved = SolvedProblem(None, None, 1)
        for game, stated in found:
            if isinstance(stated, BaseException):
                return None
            known = self.answerer.play.reasons(stated, game)
            first, second = known.get(WON), known.get(SECOND_PLAYER_WIN)
            if game is not query.game:
                solved = self._with_opposing(solved, game, first, second)
            elif first is not None:
                solved = replace(solved, first=first, second=second if self.domain.passing else None)
        return solved

    def _treats(self, game: Atom) -> bool:
        """Return whether the theory has the game. It may have the opposing ones only."""
        return game.predicate in self._declared

    def _opposing(self, query: ProblemQuery) -> list[Atom]:
        """Return the opposing games that some rule concludes."""
        return [game for game in query.against if game.predicate in self._concluded]

    def _with_opposing(
        self, solved: SolvedProblem, game: Atom, saved: MatchedWin | None, safe: MatchedWin | None
    ) -> SolvedProblem:
        """Return the solution with the reasons that an opposing game gives, if no other ones are known.

        A game that is not lasting is about a number of moves. The friend may win in more moves, so it
        does not contradict a known win of his.
        """
        if solved.second is not None or solved.safe is not None:
            return solved
        if solved.first is not None and game.predicate not in self.domain.lasting:
            safe = None
        return replace(solved, saved=solved.saved or saved, safe=safe)

    def at_levels(self, problem: Any, levels: Sequence[int]) -> list[SolvedProblem]:
        """Return the conclusions at several levels, lowest first; a level reuses the matches before it."""
        self.answerer.forget()
        return self.answerer.run(self._at_levels(self.answerer, problem, levels))

    def each_at_levels(self, problems: Sequence[Any], levels: Sequence[int]) -> Iterator[list[SolvedProblem]]:
        """Yield what `at_levels` returns for each problem. Their searches run together if this is faster."""
        first = 0
        while first < len(problems) and not self.answerer.can_run_together:
            yield self.at_levels(problems[first], levels)
            first += 1
        rest = problems[first:]
        searches = [partial(self._at_levels, problem=problem, levels=levels) for problem in rest]
        for problem, found in zip(rest, together(self.answerer, searches), strict=True):
            if isinstance(found, BaseException):
                raise found
            # The memory of the process is that of all searches.
            is_stopped = any(each.stopped is not None for each in found)
            yield self.at_levels(problem, levels) if is_stopped else found

    def _at_levels(
        self, answerer: Answerer, problem: Any, levels: Sequence[int]
    ) -> Search[list[SolvedProblem]]:
        found = []
        for each in levels:
            solved = yield from self._solved(answerer, problem, each)
            found.append(solved)
        return found

    def _solved(self, answerer: Answerer, problem: Any, levels: int) -> Search[SolvedProblem]:
        query = self.domain.query_of(problem)
        state, game = query.state, query.game
        first, second, stopped = None, None, None
        solved = SolvedProblem(None, None, 0)
        try:
            first = (yield from answerer.search_won(state, game, levels)) if self._treats(game) else None
            if first is not None and self.domain.passing is not None:
                second = yield from (
                    answerer.search_second_player_win(state, game, levels)
                    if levels
                    else answerer.search_says(state, game, SECOND_PLAYER_WIN)
                )
            solved, matched = SolvedProblem(first, second, 0), answerer.matched
            for other in [] if second is not None else self._opposing(query):
                # The position is matched already. Only the queried game differs.
                saved = yield from answerer.search_says(state, other, WON)
                safe = yield from answerer.search_says(state, other, SECOND_PLAYER_WIN)
                solved = self._with_opposing(solved, other, saved, safe)
                answerer.matched = matched
        except SpentError as problem_with_it:
            stopped = str(problem_with_it)
        return replace(solved, first=first, second=second, matched=answerer.matched, stopped=stopped)


def solve_all(
    theory: Theory, rules: Sequence[Rule], problems: Sequence[Any], levels: Sequence[int], workers: int
) -> Iterator[list[SolvedProblem]]:
    """Yield the answers to every problem in order, each at several levels, with `workers` processes."""
    if workers == 1:
        solver = ProblemSolver(theory, rules, Budget(seconds=_SECONDS, megabytes=_MEGABYTES))
        yield from solver.each_at_levels(problems, levels)
        return
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415 - slow to import

    from hornbook.spread.spawning import share_of, spawn_context  # noqa: PLC0415 - the same

    start = (theory, rules, levels, share_of(workers))
    with ProcessPoolExecutor(workers, spawn_context(), _begin, start) as pool:
        size = max(1, min(TOGETHER, len(problems) // (2 * workers)))
        parts = [problems[first : first + size] for first in range(0, len(problems), size)]
        yield from chain.from_iterable(pool.map(_solve, parts))


_SECONDS, _MEGABYTES = 60.0, 4000
"""The bounds of each problem that `solve_all` solves."""
_solvers: list[tuple[ProblemSolver, Sequence[int]]] = []
"""The solver of this worker process."""


def _begin(theory: Theory, rules: Sequence[Rule], levels: Sequence[int], threads: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process handles Ctrl-C
    budget = Budget(seconds=_SECONDS, megabytes=_MEGABYTES)
    _solvers.append((ProblemSolver(theory, rules, budget, threads=threads), levels))


@exits_are_errors
def _solve(problems: Sequence[Any]) -> list[list[SolvedProblem]]:
    solver, levels = _solvers[0]
    return list(solver.each_at_levels(problems, levels))
