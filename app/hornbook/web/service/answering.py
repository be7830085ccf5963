"""Answers to requests, one after another, from one knowledge base and one set of learned rules.

Invariants: Between two requests, the knowledge base contains the served facts and those of its current
session. The facts of a request are removed after it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from hornbook.advice import advice_text
from hornbook.advice import what_if as judging
from hornbook.advice.advising import StateAdviser, adviser_with
from hornbook.advice.decisions import NoAdviceError
from hornbook.advice.ways_out import WaysOut
from hornbook.api.answers import Answer
from hornbook.api.learned_rules import LearnedRules
from hornbook.api.position_matcher import PositionMatcher
from hornbook.inputs.completeness import check_counts
from hornbook.inputs.opening_store import TheoryWithRules
from hornbook.inputs.states import State, has_games, reader_for
from hornbook.kb.ast.parts import rows_of
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.explain.fact_places import FactsFromPlace, FactSource, facts_of_state
from hornbook.kb.load.adapters import Adapter
from hornbook.kb.lower.budget import Budget
from hornbook.kb.parse.facts import ground_fact
from hornbook.kb.sources.diagnostics import TheoryError, error
from hornbook.kb.store.places import facts_in_store
from hornbook.kb.tables.answers import Answers
from hornbook.kb.tables.readers.fact_texts import FactTexts
from hornbook.kb.tables.tables import read_rows
from hornbook.web.query_batches import QueryBatches
from hornbook.web.service.messages import SessionFacts, Setup
from hornbook.web.service.opened import LoadedData
from hornbook.web.service.questions import (
    Advise,
    Change,
    Match,
    QueriedState,
    Query,
    QueryBatch,
    Rows,
    Situation,
    StateBatch,
    Why,
    WhyNot,
)
from hornbook.web.service.refusing import TooManyFactsError, UnsupportedError, refused
from hornbook.web.state_batches import StateBatches, game_errors

Result = TypeVar("Result")
STATE = "<state>"
"""The file name of a state's text in messages."""


class RequestAnswerer:
    """A knowledge base and learned rules, ready for queries."""

    def __init__(self, opened: LoadedData, setup: Setup) -> None:
        self.opened, self._setup = opened, setup
        self.theory = opened.theory
        self.base = KnowledgeBase(self.theory, limits=setup.limits)
        for table in opened.facts:
            self.base.add(table)
        if opened.rules is not None:
            self.base.add_rules(self._learned.certified)
        self.base.engine.check_consistency()
        if setup.tables:
            check_counts(self.base)
        self._budget = Budget.of(setup.limits)
        self._matchers: dict[bool, PositionMatcher] = {}
        """The matchers of learned rules: with all clauses of the theory, or (True) with definitions alone."""
        self._batches: dict[bool, StateBatches] = {}
        """The matchers of many states, by the same key."""
        self._stands: SessionFacts | None = None
        self._queried: QueryBatches | None = None
        """The present rules and facts for queries in many states; None after a change."""

    # Questions

    def query(self, request: Query) -> dict[str, Any]:
        warnings = self._warnings(request.query)
        return {**_shown(self._answers(request.query, request), request.limit), "warnings": warnings}

    def query_states(self, request: QueryBatch) -> dict[str, Any]:
        warnings = self._warnings(request.query)
        if not self.base.engine.open_query(request.query).has_parameters:
            self.base.engine.coded_queries(request.query)  # a mistake is one of all states
        if self._queried is None:
            self._queried = QueryBatches(
                self.base, self._setup.limits, self._setup.most, lambda text: rows_of(self._state(text).facts)
            )
        found = self._queried.answers(request.query, request.states, partial(self._answers, request.query))
        shown, nothing = partial(_shown, limit=request.limit), {"answers": [], "count": 0}
        return {"states": [_or_error(each, shown, nothing) for each in found], "warnings": warnings}

    def _warnings(self, query: str) -> list[dict[str, Any]]:
        return [each.to_dict() for each in self.base.warnings(query)]

    def _answers(self, query: str, situation: Query | QueriedState) -> Answers:
        with self._situation(situation):
            return self.base.query(query, parameters=situation.set, max_answers=self._setup.most)

    def why(self, request: Why) -> dict[str, Any]:
        with self._situation(request) as sources:
            return self.base.why(request.fact, parameters=request.set).with_sources(sources).to_dict()

    def why_not(self, request: WhyNot) -> dict[str, Any]:
        with self._situation(request) as sources:
            found = self.base.why_not(
                request.fact, parameters=request.set, depth=request.depth, sets=request.sets
            )
            return found.with_sources(sources).to_dict()

    def match(self, request: Match) -> dict[str, Any]:
        only_rules = request.only_rules
        matcher = self._matchers.pop(only_rules, None)  # an engine that exceeded a limit is discarded
        if matcher is None:
            self._must_have_rules()
            matcher = self._learned.matcher(only_rules=only_rules, limits=self._setup.limits)
        try:
            matcher.set(self._matched_state(request))
        except BaseException:
            self._matchers[only_rules] = matcher
            raise
        with self._budget.bounding(), game_errors():
            answers = matcher.answers(request.game)
        self._matchers[only_rules] = matcher
        return {"answers": [answer.to_dict() for answer in answers]}

    def match_states(self, request: StateBatch) -> dict[str, Any]:
        self._must_have_rules()
        batches = self._batches.get(request.only_rules)
        if batches is None:
            batches = self._batches[request.only_rules] = self._new_batches(only_rules=request.only_rules)
        found = batches.answers(request.states, request.game)
        return {"states": [_or_error(each, _matched, {"answers": []}) for each in found]}

    def _must_have_rules(self) -> None:
        if not self.opened.certified:
            raise UnsupportedError(
                "the service has no learned rules; use `hornbook serve THEORY --rules RULES.horn`"
            )

    def advise(self, request: Advise) -> dict[str, Any]:
        state, adviser = self._state(request.state), self._adviser
        with self._budget.bounding():
            if request.what_if is not None:
                decision = judging.read_decision(request.what_if, adviser, state.facts)
                return judging.as_json(judging.what_if(adviser, state.facts, decision))
            advised = adviser.advise(state.facts)
            ways = WaysOut(adviser, state.reader, state.value)
            found = advice_text.FurtherDecisions(ways.of_conflicts(advised), ways.to_goals(advised))
            return advice_text.as_json(advised, found, adviser.wording)

    # Sessions

    def switch_to(self, session_facts: SessionFacts | None) -> None:
        """Switch to the facts of a session, or to none.

        Raises KnowledgeBaseError or FactError if they do not fit.
        """
        stands = self._stands
        if session_facts is stands or (session_facts and stands and session_facts.is_as(stands)):
            return
        self._queried = None
        if self._stands is not None:
            self._stands = None
            self.base.pop()
        if session_facts is not None:
            self.base.push()
            try:
                self.base.exchange(session_facts.retracted, session_facts.added)
                self.base.engine.check_consistency()
            except BaseException:
                self.base.pop()
                raise
            self._stands = session_facts

    def begin(self, session_facts: SessionFacts, request: Situation) -> tuple[dict[str, Any], SessionFacts]:
        """Return the facts of a new session."""
        return self._moved(session_facts, (), [fact for facts in self._given(request, []) for fact in facts])

    def change(self, session_facts: SessionFacts, request: Change) -> tuple[dict[str, Any], SessionFacts]:
        """Return a session after a change, and switch to it. If this raises, nothing has changed."""
        retract, add = self.read_change(request)
        return self._moved(session_facts, retract, add)

    def _moved(
        self, session_facts: SessionFacts, retract: Iterable[GroundFact], add: Iterable[GroundFact]
    ) -> tuple[dict[str, Any], SessionFacts]:
        retract, add = tuple(dict.fromkeys(retract)), tuple(dict.fromkeys(add))
        self.switch_to(session_facts)
        before = self.base.engine.given_among((*retract, *add))
        removed = [fact for fact in retract if fact in before]
        new = [fact for fact in add if fact not in before or fact in removed]
        after = session_facts.changed(removed, new)
        if len(after.added) + len(after.retracted) > (most := self._setup.most_session_facts):
            raise TooManyFactsError(
                f"a session may have at most {most:,} facts; retract some, or ask for a higher limit"
            )
        try:
            self.switch_to(after)
        except BaseException:
            self.switch_to(session_facts)
            raise
        return {"added": len(new), "retracted": len(removed)}, after

    # Changes to the served facts

    def read_change(self, request: Change) -> tuple[list[GroundFact], list[GroundFact]]:
        """Return the retracted and the added facts in the form of a store.

        Raises TheoryError, TableError or FactError.
        """
        retract = [
            *self._text_facts(request.retract, "<retract>")[0],
            *self._table_facts(request.retract_facts, "retract_facts"),
        ]
        add = [*self._text_facts(request.add, "<add>")[0], *self._table_facts(request.facts, "facts")]
        return self._with_tenses(retract), self._with_tenses(add)

    def apply(self, retract: Collection[GroundFact], add: Collection[GroundFact]) -> None:
        """Apply a change for all clients.

        Raises KnowledgeBaseError or FactError, and then nothing has changed.
        """
        self.switch_to(None)
        self._queried = None
        given = self.base.engine.given_among((*retract, *add))
        removed, new = [f for f in retract if f in given and f not in add], [f for f in add if f not in given]
        self.base.exchange(removed, new)
        try:
            self.base.engine.check_consistency()
        except BaseException:
            self.base.exchange(new, removed)
            raise

    @cached_property
    def stated(self) -> frozenset[GroundFact]:
        """The facts in the theory's text."""
        return frozenset(self._with_tenses(map(ground_fact, self.theory.facts)))

    def _with_tenses(self, facts: Iterable[GroundFact]) -> list[GroundFact]:
        """Return facts with explicit tenses."""
        coding = self.base.engine.coding
        return [coding.ground(coding.fact(fact)) for fact in facts]

    # Facts of a request

    @contextmanager
    def _situation(self, request: Situation) -> Iterator[list[FactSource]]:
        """Add the facts of a request within the context, which returns their sources."""
        sources: list[FactSource] = []
        if not (request.facts or request.add or request.state is not None):
            yield self._with_served(sources)
            return
        self.base.push()
        try:
            for facts in self._given(request, sources):
                self.base.add(facts)
            yield self._with_served(sources)
        finally:
            self.base.pop()

    def _with_served(self, sources: list[FactSource]) -> list[FactSource]:
        if self._stands is not None:
            sources.append(FactsFromPlace("session", self._stands.added))
        sources.extend(self.opened.facts)
        if self.opened.store is not None:
            sources.append(facts_in_store(Path(self.opened.store), self.theory.name))
        return sources

    def _given(self, request: Situation, sources: list[FactSource]) -> Iterator[list[GroundFact]]:
        if request.state is not None:
            state = self._state(request.state)
            read = facts_of_state("state", state.reader, state.value, self.theory.vocabulary)
            sources.append(read)
            yield list(read.facts)
        yield list(self._table_facts(request.facts, "facts", sources))
        facts, statements = self._text_facts(request.add, "<add>")
        sources.append(statements)
        yield facts

    def _text_facts(self, text: str, name: str) -> tuple[list[GroundFact], Any]:
        if not text:
            return [], ()
        clauses = self.base.read_clauses(text, name)
        if clauses.rules:
            problem = error(
                "HB042",
                "a request may contain facts, but no rules",
                clauses.rules[0].span,
                "write it into the theory",
            )
            raise TheoryError([problem], {name: text})
        return list(map(ground_fact, clauses.statements)), clauses.statements

    def _table_facts(
        self, tables: Rows, field: str, sources: list[FactSource] | None = None
    ) -> Iterator[GroundFact]:
        for predicate, rows in tables.items():
            found = read_rows(rows, predicate, self.theory.vocabulary, name=f"<{field}> {predicate}")
            if sources is not None:
                sources.append(found.facts)
            yield from found.facts

    def _matched_state(self, request: Situation | str) -> State:
        """Return the state of a request to learned rules.

        Raises UnsupportedError if it has facts that are no part of a position of a game.
        """
        if isinstance(request, str):
            return self._state(request)
        if request.state is not None and not (request.facts or request.add):
            return self._state(request.state)
        if self._has_games:
            raise UnsupportedError(
                f"a state of `{self.theory.name}` is a position of a game, so it is given by `state` alone"
            )
        facts = [fact for some in self._given(request, []) for fact in some]
        return State(self.theory, STATE, tuple(dict.fromkeys(facts)), FactTexts(self.theory))

    def _state(self, text: str) -> State:
        return State(self.theory, STATE, self._reader.read(text, STATE), self._reader)

    # Objects prepared once

    @cached_property
    def _reader(self) -> Adapter:
        # The search for an adapter reads the metadata of every installed package.
        return reader_for(self.theory)

    @cached_property
    def _learned(self) -> LearnedRules:
        return LearnedRules(self.theory, self.opened.rules, names=self.opened.active)

    @cached_property
    def _has_games(self) -> bool:
        return has_games(self.theory)

    def _new_batches(self, *, only_rules: bool) -> StateBatches:
        base = self._learned.base
        entries = [entry for entry in base if entry.is_certified and entry.rule.name in self.opened.active]
        limits, read = self._setup.limits, self._matched_state
        return StateBatches(self.theory, base, entries, read, limits, only_rules=only_rules)

    @cached_property
    def _adviser(self) -> StateAdviser:
        base = self.opened.rules
        rules = None if base is None else TheoryWithRules(self.theory, base, self.opened.active).active_base
        found = adviser_with(self.theory, rules, self._setup.limits)
        if found is None:
            raise NoAdviceError(f"the theory `{self.theory.name}` has no advice")
        return found


def _shown(found: Answers, limit: int | None) -> dict[str, Any]:
    return {"answers": [*islice(found.json_rows(), limit)], "count": len(found)}


def _matched(found: list[Answer]) -> dict[str, Any]:
    return {"answers": [answer.to_dict() for answer in found]}


def _or_error(
    found: Result | Exception, shown: Callable[[Result], dict[str, Any]], nothing: dict[str, Any]
) -> dict[str, Any]:
    """Return the result for a state of several, or its error. An internal error is raised."""
    if not isinstance(found, Exception):
        return {**shown(found), "error": None}
    reported = refused(found)
    if reported.log is not None:
        raise found
    problem = {
        "error": reported.error,
        "message": reported.message,
        "diagnostics": list(reported.diagnostics),
    }
    return {**nothing, "error": problem}


KINDS: Mapping[str, type[Any]] = {
    "query": Query,
    "query-states": QueryBatch,
    "why": Why,
    "why-not": WhyNot,
    "match": Match,
    "match-states": StateBatch,
    "advise": Advise,
}
"""The types of questions, by the last part of their path."""
