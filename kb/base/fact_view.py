"""The given and derived facts of an engine in the terms of its theory, and the rules that derived them.

Rules that can only be stopped by facts (`matcher/demand/stopped_rules.py`) wait outside of the engine for the
first query, so that all given facts are added before them.

Invariants: Only one thread at a time runs a method, and others wait. Nothing here changes given facts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import wraps
from threading import RLock
from typing import Concatenate, ParamSpec, TypeVar

from hornbook.kb.ast.ordering import sorted_rows
from hornbook.kb.ast.terms import Constant, Rule, Statement, Tense
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.lower.coding import CodedQuery, CodedRuleId, Coding
from hornbook.kb.lower.errors import KnowledgeBaseError, described_error
from hornbook.kb.parse.facts import FactError, plain_fact
from hornbook.kb.sources.diagnostics import did_you_mean
from hornbook.matcher.program.coded import CodedRule, Derivation, Fact, PredicateId, RuleId
from hornbook.matcher.program.engine import Engine, Statistics
from hornbook.matcher.program.errors import EngineError, LimitError
from hornbook.matcher.program.profile import Profile

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")
Holder = TypeVar("Holder", bound="FactView")


def exclusive(
    method: Callable[Concatenate[Holder, Arguments], Result],
) -> Callable[Concatenate[Holder, Arguments], Result]:
    """Return the method, made to wait until no other thread runs a method of the object."""

    @wraps(method)
    def called(base: Holder, /, *arguments: Arguments.args, **named: Arguments.kwargs) -> Result:
        with base._lock:  # noqa: SLF001  # `_lock` belongs to the same class
            return method(base, *arguments, **named)

    return called


class FactView:
    """The facts that hold now: the read-only side of a knowledge base."""

    # The engine with all rules except those that wait.
    _engine: Engine

    def __init__(self, coding: Coding) -> None:
        self._lock = RLock()
        self.coding = coding
        self._rules: tuple[Rule, ...] = ()
        self._waiting: tuple[CodedRule, ...] = ()
        self._is_queried = False
        # The error with which the evaluation of the waiting rules failed, until the next change.
        self._termination_error: KnowledgeBaseError | None = None

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules of the theory, followed by the added rules."""
        return self._rules

    @property
    def _current_engine(self) -> Engine:
        """The engine with no waiting rules. Raises as `conclude` does."""
        if self._waiting or not self._is_queried:
            self.conclude()
        return self._engine

    @exclusive
    def conclude(self) -> None:
        """Add the rules that wait for the first query and evaluate them. Every query does so.

        Raises:
            KnowledgeBaseError: A consequence contradicts a declaration, or a limit is exceeded. Then the
                rules keep waiting, so that facts can be added or retracted.
        """
        self._is_queried = True
        if not self._waiting:
            return
        if self._termination_error is not None:
            raise self._termination_error
        try:
            self._engine.update(add_rules=self._waiting)
        except EngineError as problem:
            described = self._fault(problem)
            if isinstance(problem, LimitError):
                self._termination_error = described
            raise described from problem
        self._waiting = ()

    @exclusive
    def must_fit(self) -> None:
        """Raise KnowledgeBaseError if the consequences contradict a declaration.

        Rules that do not terminate without further facts do not count as a contradiction.
        """
        try:
            self.conclude()
        except KnowledgeBaseError as problem:
            if problem is not self._termination_error:
                raise

    @exclusive
    def statistics(self) -> Statistics:
        """Return the number of facts of each relation; an empty mapping if the engine counts none."""
        return self._current_engine.statistics()

    @exclusive
    def profiled(self, run: Callable[[], Result]) -> tuple[Result, Profile]:
        """Return the result of a call, and a profile of the updates that it makes.

        Raises:
            TypeError: The engine does not measure time.
        """
        if not self._engine.capabilities.profile:
            raise TypeError("this engine does not measure time: use the compiled engine")
        self._engine.profile(True)
        try:
            return run(), self._engine.profile_report()
        finally:
            self._engine.profile(False)

    def facts_so_far(self) -> int | None:
        """Return a recent number of facts, even while another thread is evaluating, or None if the engine
        does not count them.

        Does not wait for other threads.
        """
        return self._engine.facts_so_far()

    @property
    def can_be_interrupted(self) -> bool:
        """Whether an interrupt is safe now and leaves no change half done.

        Does not wait for other threads, because signal handlers use it.
        """
        return self._engine.can_be_interrupted

    @exclusive
    def facts(self, relation: str | None = None, tense: Tense | None = None) -> Iterator[GroundFact]:
        """Return all given and derived facts that hold now, of one relation or of all, sorted."""
        numbers = [
            number
            for number, shape in enumerate(self.coding.relations)
            if relation in (None, shape.template.relation) and tense in (None, shape.template.tense)
        ]
        ground, found = self.coding.ground, self._rows_of(numbers)
        return (
            fact
            for number, rows in found.items()
            for fact in sorted_rows(ground(Fact(number, row)) for row in rows)
        )

    @exclusive
    def given(self) -> list[GroundFact]:
        """Return the given facts, including those of the theory, sorted by relation."""
        numbers = range(len(self.coding.relations))
        return [
            self.coding.ground(Fact(n, cells)) for n in numbers for cells in sorted(self._engine.given(n))
        ]

    @exclusive
    def given_of(self, facts: Iterable[GroundFact]) -> set[GroundFact]:
        """Return the given facts among some facts, at their moments. Raises FactError if one fits no
        declaration.
        """
        coded = [self.coding.fact(plain_fact(fact)) for fact in facts]
        given = {number: self._engine.given(number) for number in {fact.predicate for fact in coded}}
        return {self.coding.ground(fact) for fact in coded if fact.cells in given[fact.predicate]}

    @exclusive
    def firings(self) -> dict[int, int]:
        """Return the number of facts whose recorded derivation uses each rule, by its index in `rules`."""
        counts: dict[int, int] = {}
        for number, rows in self._rows_of(range(len(self.coding.relations))).items():
            for cells in rows:
                derivation = self._current_engine.derivation(Fact(number, cells))
                if derivation is not None:
                    assert isinstance(derivation.rule, CodedRuleId)
                    counts[derivation.rule.index] = counts.get(derivation.rule.index, 0) + 1
        return counts

    @exclusive
    def snapshot(self) -> dict[Statement, frozenset[Fact]]:
        """Return the coded facts that hold now, by the template from `relations`."""
        relations = self.coding.relations
        return {
            relations[number].template: frozenset(Fact(number, cells) for cells in rows)
            for number, rows in self._rows_of(range(len(relations))).items()
        }

    def relations(self) -> Iterator[Statement]:
        """Return a statement with variables for every relation at every moment."""
        return (relation.template for relation in self.coding.relations)

    @exclusive
    def statements(self, relation: str, tense: Tense | None = None) -> list[Statement]:
        """Return all facts of one relation that hold at a moment, as statements, sorted.

        Raises:
            FactError: The theory has no such relation.
        """
        facts = [(self.coding.ground(fact), fact) for fact in self.held(relation, tense)]
        return [self.coding.statement(fact) for _, fact in sorted_rows(facts)]

    @exclusive
    def held(self, relation: str, tense: Tense | None = None) -> list[Fact]:
        """Return all facts of one relation that hold at a moment, coded and unordered."""
        number = self._number(relation, tense)
        return [Fact(number, cells) for cells in self._rows(number)]

    def _number(self, relation: str, tense: Tense | None) -> PredicateId:
        try:
            return self.coding.predicate_id(relation, tense)
        except KeyError:
            hint = did_you_mean(relation, {each.template.relation for each in self.coding.relations})
            raise FactError(
                f"there is no relation `{relation}` at this moment" + (f"; {hint}" if hint else "")
            ) from None

    @exclusive
    def holds(self, said: Statement | GroundFact) -> bool:
        """Return whether a ground statement or fact is given or derived."""
        try:
            return self.coded(said) in self._current_engine
        except EngineError as problem:
            raise self._fault(problem) from problem

    @exclusive
    def derivation(self, fact: Fact, by: RuleId | None = None) -> Derivation | None:
        """Return the recorded derivation of a coded fact, or None if it is given. With `by`, return the first
        by this rule.

        Raises:
            KeyError: The fact does not hold.
        """
        return self._current_engine.derivation(fact, by)

    @exclusive
    def derivations(self, fact: Fact, by: RuleId | None = None) -> tuple[Derivation, ...]:
        """Return every derivation of a coded fact, or those by one rule.

        Raises:
            NoDerivationsError: The engine does not record all derivations.
        """
        return self._current_engine.derivations(fact, by)

    @exclusive
    def derived_by(self, fact: Fact) -> tuple[RuleId, ...]:
        """Return the rules with derivations of a coded fact. This is faster than `derivations`.

        Raises:
            NoDerivationsError: The engine does not record all derivations.
        """
        return self._current_engine.derived_by(fact)

    @exclusive
    def coded(self, said: Statement | GroundFact) -> Fact:
        """Return the coded fact of a ground statement or fact, whether it holds or not."""
        if isinstance(said, GroundFact):
            return self.coding.fact(plain_fact(said))
        return self.coding.fact_of(said)

    @exclusive
    def conclusion(self, fact: Fact) -> Statement:
        """Return a coded fact as a statement in the form of the source, without a moment if the theory has
        only one.
        """
        return self.coding.statement(fact)

    @exclusive
    def ground(self, fact: Fact) -> GroundFact:
        """Return a coded fact as a ground fact with its moment."""
        return self.coding.ground(fact)

    def rule_of(self, by: RuleId) -> tuple[int, Rule, Tense | None]:
        """Return the rule of a derivation: its index in `rules`, the rule, and the moment of its
        evaluation.
        """
        assert isinstance(by, CodedRuleId)
        return by.index, self.rules[by.index], by.moment

    def bindings(self, derivation: Derivation) -> dict[str, Constant]:
        """Return the substitution of the variables of a derivation's rule."""
        assert isinstance(derivation.rule, CodedRuleId)
        return self.coding.substitution(derivation.rule, derivation.binding)

    @exclusive
    def words(self, sort: str, most: int) -> list[str]:
        """Return at most `most` words of a sort that occur in facts, sorted. The first ones found are chosen.

        Relations that are derived on demand are not evaluated.
        """
        found: dict[int, None] = {}
        for number, relation in enumerate(self.coding.relations):
            places = [place for place, of in enumerate(relation.sorts) if of == sort]
            if places and len(found) < most and number not in self.coding.demanded:
                rows = self._engine.facts(number)
                found.update(dict.fromkeys(cells[place] for cells in rows for place in places))
        words = map(self.coding.word, list(found)[:most])
        return sorted(word for word in words if isinstance(word, str))

    def _rows_of(self, numbers: Sequence[PredicateId]) -> dict[PredicateId, AbstractSet[tuple[int, ...]]]:
        """Return the facts of some predicates that hold now."""
        try:
            self._current_engine.take_whole(numbers)
        except EngineError as problem:
            raise self._fault(problem) from problem
        return {number: self._rows(number) for number in numbers}

    def _rows(self, number: PredicateId) -> AbstractSet[tuple[int, ...]]:
        """Return the facts of a predicate that hold now."""
        try:
            return self._current_engine.facts(number)
        except EngineError as problem:
            raise self._fault(problem) from problem

    def _fault(self, problem: EngineError, query: CodedQuery | None = None) -> KnowledgeBaseError:
        return described_error(problem, self.coding, lambda rule_id: self.rules[rule_id.index], query)
