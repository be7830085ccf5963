"""Learned rules that are matched on many states of one request.

Invariants: The answers about a state are those of a request about it alone. An error in a state has no effect
on the others. The states that are left when the time is over have that error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from time import monotonic

from hornbook.api.answers import Answer
from hornbook.api.position_matcher import (
    block_matcher,
    check_state,
    column_writer,
    first_conclusions,
    rule_queries,
)
from hornbook.compiler.match.position import Conclusion
from hornbook.compiler.match.ready_cache import matching_key
from hornbook.compiler.match.states import StateQuery
from hornbook.compiler.rules.admission import RuleBase, RuleEntry
from hornbook.inputs.games import game_of
from hornbook.inputs.states import State, matching_domain
from hornbook.kb.ast.terms import Atom
from hornbook.kb.ast.theory import Theory
from hornbook.kb.lower.budget import Budget, SpentError
from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.terminal.code_exits import exits_are_errors
from hornbook.web.service.questions import MatchedState
from hornbook.web.service.refusing import UnsupportedError

BLOCK = 100
"""The number of states that are matched together. The time is checked after each block."""


@contextmanager
def game_errors() -> Iterator[None]:
    """Convert errors about the text of a game, or about a game missing in the state, to request errors."""
    try:
        yield
    except ValueError as problem:
        if isinstance(problem, HornbookError):
            raise
        raise UnsupportedError(f"<game>: {problem}") from None


class StateBatches:
    """Certified rules of a theory that are matched on the states of requests.

    The function `read` returns the state of a request.
    """

    def __init__(
        self,
        theory: Theory,
        base: RuleBase,
        entries: Sequence[RuleEntry],
        read: Callable[[str | MatchedState], State],
        limits: Limits,
        *,
        only_rules: bool,
    ) -> None:
        self._theory, self._base, self._read_state, self._limits = theory, base, read, limits
        self._domain = matching_domain(theory)
        self._writer = column_writer(self._domain)
        self._matcher = block_matcher(
            theory,
            self._domain,
            [entry.answering for entry in entries],
            limits,
            key=matching_key(entries, theory),
            only_rules=only_rules,
            threads=1,  # the processes of a service share the processors
        )

    def answers(
        self, states: Sequence[str | MatchedState], game: str | None
    ) -> Iterator[list[Answer] | Exception]:
        """Yield the answers about each state, or its error.

        Args:
            states: The states.
            game: The only game to query, or None.

        Raises:
            TheoryError, UnsupportedError: The text of the game is wrong.
        """
        with game_errors():
            queried = None if game is None else game_of(self._theory, game)
        started = monotonic()
        for first in range(0, len(states), BLOCK):
            block = states[first : first + BLOCK]
            seconds = self._limits.seconds
            if seconds is not None and monotonic() - started > seconds:
                yield from [SpentError(f"more than {seconds:g} seconds for all states", "seconds")] * len(
                    block
                )
                continue
            read = [self._read(each, queried) for each in block]
            queries = [query for each in read if not isinstance(each, Exception) for query in each[1]]
            matched = iter(self._matcher.conclusions(queries))
            for each in read:
                yield each if isinstance(each, Exception) else self._answered(each[0], matched, len(each[1]))

    def _read(
        self, given: str | MatchedState, game: Atom | None
    ) -> tuple[State, Sequence[StateQuery]] | Exception:
        """Return a state with the queries about it, or the error."""
        try:
            with exits_are_errors:
                state = self._read_state(given)
                check_state(self._domain, state)
                with game_errors():
                    return state, self._queries(state, game)
        except Exception as problem:  # noqa: BLE001 - an adapter may raise anything
            return problem

    def _queries(self, state: State, game: Atom | None) -> Sequence[StateQuery]:
        if self._writer is not None and getattr(state.reader, "module", None) is self._domain.adapter:
            compact = self._writer.compact_state(state.value)
            queries = self._writer.column_queries(compact, game, self._theory)
            if queries is not None:
                return queries
        return list(rule_queries(self._domain, state, game))

    def _answered(
        self, state: State, matched: Iterator[list[Conclusion] | BaseException], queries: int
    ) -> list[Answer] | Exception:
        """Return the answers to the next queries, which are about one state."""
        conclusions: list[Conclusion] = []
        errors: list[BaseException] = []
        for each in islice(matched, queries):
            if isinstance(each, BaseException):
                errors.append(each)
            else:
                conclusions += each
        try:
            with Budget.of(self._limits).bounding(), exits_are_errors:
                if errors:
                    raise errors[0]
        except Exception as problem:  # noqa: BLE001 - as above
            return problem
        return [Answer(state, self._base, each) for each in first_conclusions(conclusions)]
