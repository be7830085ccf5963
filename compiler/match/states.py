"""Matching of learned rules in many states, which the core evaluates together.

Invariants: The answers about a state are those of a `RuleMatcher` that is at this state, in the same order. A
state whose evaluation fails is matched again by a `RuleMatcher`, whose answers or error count.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import TypeVar

from hornbook.compiler.match.needed_numbers import NeededNumbers, needed_numbers
from hornbook.compiler.match.position import (
    Conclusion,
    FirstConclusion,
    RuleMatcher,
    SharedRules,
    query_fact,
    query_relation,
)
from hornbook.compiler.rules.definitions import written_out
from hornbook.kb.ast.parts import rows_of
from hornbook.kb.ast.terms import Constant, GameStatement, Rule
from hornbook.kb.ast.theory import Theory
from hornbook.kb.base.fact_encoder import Group
from hornbook.kb.base.proved_rules import StateEvaluation, state_evaluation
from hornbook.kb.sources.collector import collector_paused
from hornbook.matcher.program.coded import Fact, Limits, PredicateId
from hornbook.matcher.program.states import StateBlock, StateResults, StateTable
from hornbook.theories.protocols.columns import ColumnQuery, Columns, ColumnWriter
from hornbook.theories.protocols.games import RuleQuery

Found = TypeVar("Found")
StateQuery = RuleQuery | ColumnQuery
"""A query about a state: its facts in parts, or a compact state whose domain writes columns."""
Stated = list[tuple[str, GameStatement]]
"""The rules that answer about a state, with their statements, in the order of learning."""
_FAILURES = (Exception, SystemExit)
"""The errors of a state, because a domain may raise anything. A `RuleMatcher` then matches the state."""
FEW = 20
"""The number of queries that are matched one after another, because planning the rules again costs more."""
_PROBES = 3
"""The number of states of a block that are tried to make the rules ready."""
_WRITTEN = 64
"""The number of compact states whose facts are written together. The facts of more states leave the cache
of the processor before they are read.
"""
_NO_RESULTS = StateResults({}, StateTable(memoryview(b""), ()), (), (), {})
_MOST_GAMES = 100_000
"""The maximum number of cached games."""


class StateMatcher:
    """Learned rules that are matched in blocks of states.

    A `RuleMatcher` makes the rules ready at the first state. If the theory has predicates that are derived on
    demand, there is no engine for blocks, and the `RuleMatcher` matches every state.

    Args:
        rules: The learned rules; those about anything but games are ignored.
        limits: The limits of each match.
        shared: An object for matchers with the same rules.
        writer: The domain of the queries about compact states.
        threads: The number of threads, by default the number of processors.
    """

    def __init__(
        self,
        theory: Theory,
        focus_predicate: str,
        rules: Iterable[Rule],
        limits: Limits | None = None,
        shared: SharedRules | None = None,
        writer: ColumnWriter | None = None,
        threads: int | None = None,
    ) -> None:
        self._theory, self._focus, self._limits = theory, focus_predicate, limits
        self._writer, self._threads = writer, threads
        self._rules = tuple(written_out(rule, theory) for rule in rules)
        self._shared = SharedRules() if shared is None else shared
        self._block: _BlockMatcher | None = None
        self._has_blocks = True
        self._queried = 0
        """The number of queries until now, if there is no matcher of blocks."""
        self._single_matcher: RuleMatcher | None = None
        """The matcher of single states. It is replaced after an error."""

    def conclusions(self, queries: Sequence[StateQuery]) -> list[list[Conclusion] | BaseException]:
        """Return for each query what `RuleMatcher.conclusions` returns, without premises, or its error."""
        return self._answers(
            queries,
            _BlockMatcher.conclusions,
            lambda matcher, each: matcher.conclusions(each.parts, each.games),
        )

    def first(self, queries: Sequence[StateQuery]) -> list[dict[Constant, FirstConclusion] | BaseException]:
        """Return for each query about one game what `RuleMatcher.first` returns, or its error."""
        return self._answers(
            queries,
            _BlockMatcher.first,
            lambda matcher, each: matcher.first(each.parts, *each.games),
        )

    def statements(self, queries: Sequence[StateQuery]) -> list[Stated | BaseException]:
        """Return for each query the rules with their statements, or its error. This is faster than
        `conclusions`.
        """
        return self._answers(queries, _BlockMatcher.statements, _statements)

    def successive_statements(self, queries: Sequence[RuleQuery]) -> list[Stated | BaseException]:
        """Return what `statements` returns, but match one state after another.

        This is faster for states that differ little, if rules depend on many derived facts, because only
        differences between successive states are evaluated.
        """
        return [self._single(query, _statements) for query in queries]

    def _answers(
        self,
        queries: Sequence[StateQuery],
        together: Callable[[_BlockMatcher, Sequence[StateQuery]], list[Found | None]],
        by_matcher: Callable[[RuleMatcher, RuleQuery], Found],
    ) -> list[Found | BaseException]:
        with collector_paused():
            block = self._ready(queries)
            found = [None] * len(queries) if block is None else together(block, queries)
            return [
                self._single(query, by_matcher) if answers is None else answers
                for query, answers in zip(queries, found, strict=True)
            ]

    def _single(
        self, query: StateQuery, by_matcher: Callable[[RuleMatcher, RuleQuery], Found]
    ) -> Found | BaseException:
        """Return the answers of a matcher that has only this state, or its error."""
        try:
            return by_matcher(self.single, in_parts(query))
        except _FAILURES as problem:
            self._single_matcher = None
            return problem

    @property
    def single(self) -> RuleMatcher:
        """The matcher of single states."""
        if self._single_matcher is None:
            self._single_matcher = RuleMatcher(self._theory, self._focus, self._limits, self._shared)
            if not self._single_matcher.has_rules:
                with collector_paused():
                    for rule in self._rules:
                        self._single_matcher.add(rule)
        return self._single_matcher

    @property
    def has_block(self) -> bool:
        """Whether states are matched in blocks by now."""
        return self._block is not None

    def _ready(self, queries: Sequence[StateQuery]) -> _BlockMatcher | None:
        """Return the matcher of blocks. It is made when a state can be matched."""
        self._queried += len(queries)
        if self._block is None and self._has_blocks and self._queried > FEW:
            matcher = RuleMatcher(self._theory, self._focus, self._limits, self._shared)
            if not matcher.has_rules:
                for query in queries[:: max(1, len(queries) // _PROBES)][:_PROBES]:
                    self._single(query, _statements)
                    if self._shared.ready is not None:
                        break
                else:
                    return None
                matcher = RuleMatcher(self._theory, self._focus, self._limits, self._shared)
            ready = matcher.ready_for_blocks()
            evaluation = (
                None if ready is None else state_evaluation(matcher.base, ready, self._limits, self._threads)
            )
            self._has_blocks = evaluation is not None
            if evaluation is not None:
                self._block = _BlockMatcher(matcher, evaluation, self._writer, needed_numbers(self._rules))
        return self._block


class _BlockMatcher:
    """A matcher of blocks of states, with the matcher whose codes it uses."""

    def __init__(
        self,
        matcher: RuleMatcher,
        evaluation: StateEvaluation,
        writer: ColumnWriter | None,
        needed: NeededNumbers,
    ) -> None:
        self._matcher, self._evaluation, self._writer, self._needed = matcher, evaluation, writer, needed
        self._query_groups = lru_cache(_MOST_GAMES)(
            lambda game: matcher.base.engine.group(rows_of([query_fact(game)]))
        )
        coding = matcher.base.engine.coding
        self._cell = lru_cache(None)(lambda word: coding.cell(word, "word"))
        self._predicate = lru_cache(None)(lambda name: coding.predicate_id(name, None))
        self._columns: dict[Hashable, bool] = {}
        """The shapes of compact states, and whether their facts fit as columns."""

    def conclusions(self, queries: Sequence[StateQuery]) -> list[list[Conclusion] | None]:
        """Return the conclusions for each query, or None if a `RuleMatcher` must match it."""
        found: list[list[Conclusion] | None] = [None] * len(queries)
        for places, results in self._evaluate(queries, explained=self._matcher.answer_predicates):
            for state in places:
                found[state] = []
            for state, each in groupby(results.conclusions, key=attrgetter("state")):
                found[places[state]] = self._matcher.explained((one.fact, one.derivations) for one in each)
            for state in results.errors:
                found[places[state]] = None
        return found

    def first(self, queries: Sequence[StateQuery]) -> list[dict[Constant, FirstConclusion] | None]:
        """Return the first conclusions for each query, or None if a `RuleMatcher` must match it."""
        found: list[dict[Constant, FirstConclusion] | None] = [None] * len(queries)
        for places, results in self._evaluate(queries, leading=self._matcher.answer_predicates):
            for state in places:
                found[state] = {}
            for state, each in groupby(results.leading, key=itemgetter(0)):
                found[places[state]] = self._matcher.first_of((fact, premises) for _, fact, premises in each)
            for state in results.errors:
                found[places[state]] = None
        return found

    def statements(self, queries: Sequence[StateQuery]) -> list[Stated | None]:
        """Return the statements for each query, or None if a `RuleMatcher` must match it."""
        found: list[Stated | None] = [None] * len(queries)
        for places, results in self._evaluate(queries, requested=self._matcher.answer_predicates):
            facts: list[list[Fact]] = [[] for _ in places]
            for number, (states, cells) in results.tables.items():
                for state, *row in zip(states, *cells, strict=True):
                    facts[state].append(Fact(number, tuple(row)))
            for state, (place, each) in enumerate(zip(places, facts, strict=True)):
                found[place] = None if state in results.errors else self._matcher.stated(each)
        return found

    def _evaluate(
        self, queries: Sequence[StateQuery], **predicates: Sequence[PredicateId]
    ) -> Iterator[tuple[list[int], StateResults]]:
        """Yield the places of queries that are evaluated together, and the results about some predicates."""
        places: list[int] = []
        given: list[list[Group]] = []
        queried: list[list[Group]] = []
        shapes: dict[Hashable, list[int]] = {}
        without: list[int] = []
        for place, query in enumerate(queries):
            if not isinstance(query, RuleQuery) and self._has_columns(query):
                if self._may_answer(query):
                    shapes.setdefault(query.shape, []).append(place)
                else:
                    without.append(place)
                continue
            try:
                known = in_parts(query)
                groups = list(map(self._matcher.state.group, dict.fromkeys(known.parts)))
                games = list(map(self._query_groups, dict.fromkeys(known.games)))
            except _FAILURES:
                continue
            if not any(group.actions for group in groups):
                places.append(place)
                given.append(groups)
                queried.append(games)
        if without:
            yield without, _NO_RESULTS
        if places:
            yield places, self._evaluation.evaluate(given, queried, **predicates)
        for each in shapes.values():
            for first in range(0, len(each), _WRITTEN):
                some = each[first : first + _WRITTEN]
                block = self._block([queries[place] for place in some])
                yield some, self._evaluation.evaluate_block(block, **predicates)

    def _may_answer(self, query: ColumnQuery) -> bool:
        """Return whether the state has the integers that all rules need, as far as it tells them at once."""
        for relation, numbers in self._needed.items():
            known = query.number_of(relation)
            if known is not None and known[0] in numbers and known[1] not in numbers[known[0]]:
                return False
        return True

    def _has_columns(self, query: ColumnQuery) -> bool:
        """Return whether the facts of compact states of a shape fit as columns.

        Their declarations are checked with the facts of the first state.
        """
        known = self._columns.get(query.shape)
        if known is None:
            try:
                known = self._fits(query)
            except _FAILURES:
                known = False
            self._columns[query.shape] = known
        return known

    def _fits(self, query: ColumnQuery) -> bool:
        parts = query.rule_query()
        if any(self._matcher.state.group(part).actions for part in parts.parts):
            return False
        for game in parts.games:
            self._query_groups(game)
        coding = self._matcher.base.engine.coding
        return all(
            coding.relations[coding.predicate_id(name, None)].columns == kinds
            for name, kinds in query.kinds.items()
        )

    def _block(self, queries: Sequence[StateQuery]) -> StateBlock:
        """Return the facts of queries about compact states of one shape."""
        assert self._writer is not None
        written = self._writer.column_block(queries, self._cell)

        def numbered(tables: Mapping[str, Columns]) -> dict[PredicateId, Columns]:
            return {self._predicate(name): columns for name, columns in tables.items()}

        games = {query_relation(name): columns for name, columns in written.games.items() if columns}
        return StateBlock(
            len(queries), numbered(written.given), last=numbered(games), common=numbered(written.common)
        )


def _statements(matcher: RuleMatcher, query: RuleQuery) -> Stated:
    return matcher.ordered_statements(query.parts, query.games)


def in_parts(query: StateQuery) -> RuleQuery:
    """Return a query with its facts in parts."""
    return query if isinstance(query, RuleQuery) else query.rule_query()
