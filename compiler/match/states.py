"""Matching of learned rules in many states, which the core evaluates together.

Invariants: The answers about a state are those of a `RuleMatcher` that is at this state, in the same order. A
state whose evaluation fails is matched again by a `RuleMatcher`, whose answers or error count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import groupby
from typing import TypeVar

from hornbook.compiler.match.position import Conclusion, RuleMatcher, SharedRules, query_fact
from hornbook.kb.ast.parts import rows_of
from hornbook.kb.ast.terms import GameStatement, Rule
from hornbook.kb.ast.theory import Theory
from hornbook.kb.base.fact_encoder import Group
from hornbook.kb.base.proved_rules import StateEvaluation, state_evaluation
from hornbook.kb.sources.collector import collector_paused
from hornbook.matcher.program.coded import Fact, Limits
from hornbook.matcher.program.states import StateResults
from hornbook.theories.protocols.games import RuleQuery

Found = TypeVar("Found")
Stated = list[tuple[str, GameStatement]]
"""The rules that answer about a state, with their statements, in the order of learning."""
_FAILURES = (Exception, SystemExit)
"""The errors of a state, because a domain may raise anything. The state is then matched by itself."""
_PROBES = 3
"""The number of states of a block that are tried to make the rules ready."""
_ASKED_GAMES = 100_000
"""The maximum number of cached games."""


class StateMatcher:
    """Learned rules that are matched in blocks of states.

    A `RuleMatcher` makes the rules ready at the first state. If the theory has predicates that are derived on
    demand, there is no engine for blocks, and the `RuleMatcher` matches every state.

    Args:
        rules: The learned rules; those about anything but games are ignored.
        limits: The limits of each match.
    """

    def __init__(
        self, theory: Theory, focus_predicate: str, rules: Iterable[Rule], limits: Limits | None = None
    ) -> None:
        self._theory, self._focus, self._limits = theory, focus_predicate, limits
        self._rules = tuple(rules)
        self._shared = SharedRules()
        self._block: _BlockMatcher | None = None
        self._has_blocks = True
        self._alone: RuleMatcher | None = None
        """The matcher of single states. It is replaced after an error."""

    def conclusions(self, queries: Sequence[RuleQuery]) -> list[list[Conclusion] | BaseException]:
        """Return for each query what `RuleMatcher.conclusions` returns, without premises, or its error."""
        return self._answers(
            queries, _BlockMatcher.conclusions, lambda alone, each: alone.conclusions(each.parts, each.games)
        )

    def statements(self, queries: Sequence[RuleQuery]) -> list[Stated | BaseException]:
        """Return for each query the rules with their statements, or its error. This is faster than
        `conclusions`.
        """
        return self._answers(
            queries,
            _BlockMatcher.statements,
            lambda alone, each: alone.ordered_statements(each.parts, each.games),
        )

    def _answers(
        self,
        queries: Sequence[RuleQuery],
        together: Callable[[_BlockMatcher, Sequence[RuleQuery]], list[Found | None]],
        by_itself: Callable[[RuleMatcher, RuleQuery], Found],
    ) -> list[Found | BaseException]:
        block = self._ready(queries)
        found = [None] * len(queries) if block is None else together(block, queries)
        return [
            self._single(query, by_itself) if answers is None else answers
            for query, answers in zip(queries, found, strict=True)
        ]

    def _single(
        self, query: RuleQuery, by_itself: Callable[[RuleMatcher, RuleQuery], Found]
    ) -> Found | BaseException:
        """Return the answers of a matcher that has only this state, or its error."""
        if self._alone is None:
            self._alone = self._matcher()
        try:
            return by_itself(self._alone, query)
        except _FAILURES as problem:
            self._alone = None
            return problem

    def _matcher(self) -> RuleMatcher:
        matcher = RuleMatcher(self._theory, self._focus, self._limits, self._shared)
        if not matcher.has_rules:
            with collector_paused():
                for rule in self._rules:
                    matcher.add(rule)
        return matcher

    def _ready(self, queries: Sequence[RuleQuery]) -> _BlockMatcher | None:
        """Return the matcher of blocks. It is made when a state can be matched."""
        if self._block is None and self._has_blocks:
            for query in queries[:: max(1, len(queries) // _PROBES)][:_PROBES]:
                matcher = self._matcher()
                try:
                    matcher.statements(query.parts, query.games)
                except _FAILURES:
                    continue
                evaluation = state_evaluation(matcher.base, self._limits)
                self._has_blocks = evaluation is not None
                self._block = None if evaluation is None else _BlockMatcher(matcher, evaluation)
                break
        return self._block


class _BlockMatcher:
    """A matcher of blocks of states, with the matcher whose codes it uses."""

    def __init__(self, matcher: RuleMatcher, evaluation: StateEvaluation) -> None:
        self._matcher, self._evaluation = matcher, evaluation
        self._asked = lru_cache(_ASKED_GAMES)(
            lambda game: matcher.base.engine.group(rows_of([query_fact(game)]))
        )

    def conclusions(self, queries: Sequence[RuleQuery]) -> list[list[Conclusion] | None]:
        """Return the conclusions for each query, or None if it must be matched by itself."""
        places, results = self._evaluate(queries, has_derivations=True)
        found: list[list[Conclusion] | None] = [[] for _ in queries]
        for state, each in groupby(results.conclusions, key=lambda each: each.state):
            found[places[state]] = self._matcher.explained((one.fact, one.derivations) for one in each)
        return _without(found, places, results)

    def statements(self, queries: Sequence[RuleQuery]) -> list[Stated | None]:
        """Return the statements for each query, or None if it must be matched by itself."""
        places, results = self._evaluate(queries, has_derivations=False)
        facts: list[list[Fact]] = [[] for _ in queries]
        for number, (states, cells) in results.tables.items():
            for state, *row in zip(states, *cells, strict=True):
                facts[places[state]].append(Fact(number, tuple(row)))
        found: list[Stated | None] = list(map(self._matcher.stated, facts))
        return _without(found, places, results)

    def _evaluate(
        self, queries: Sequence[RuleQuery], *, has_derivations: bool
    ) -> tuple[list[int], StateResults]:
        """Return the places of the queries that were evaluated together, and the results."""
        places: list[int] = []
        given: list[list[Group]] = []
        asked: list[list[Group]] = []
        for place, query in enumerate(queries):
            try:
                groups = list(map(self._matcher.state.group, dict.fromkeys(query.parts)))
                games = list(map(self._asked, dict.fromkeys(query.games)))
            except _FAILURES:
                continue
            if not any(group.actions for group in groups):
                places.append(place)
                given.append(groups)
                asked.append(games)
        predicates = self._matcher.answer_predicates
        tables, explained = ([], predicates) if has_derivations else (predicates, [])
        return places, self._evaluation.evaluate(given, asked, tables, explained)


def _without(found: list[Found | None], places: Sequence[int], results: StateResults) -> list[Found | None]:
    """Return the answers without those of queries that were not evaluated or failed."""
    right = {place for state, place in enumerate(places) if state not in results.errors}
    return [each if place in right else None for place, each in enumerate(found)]
