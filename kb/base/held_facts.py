"""What an engine holds, given and derived, in the words of its theory: facts, and which rules derived them.

Always true: one thread at a time is inside, and others wait; nothing here changes what is held. Rules that only facts stop
(`kb/lower/stopped_rules.py`) wait outside of the engine for the first question, so that all that is given comes first.
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
from hornbook.kb.lower.demand_engine import DemandEngine
from hornbook.kb.lower.engines import AnyEngine
from hornbook.kb.lower.faults import KnowledgeBaseError, fault
from hornbook.kb.lower.guarded_engine import GuardedEngine
from hornbook.kb.parse.facts import FactError, plain_fact
from hornbook.kb.sources.diagnostics import did_you_mean
from hornbook.matcher.compiled.engine import Engine, Statistics
from hornbook.matcher.compiled.network import Profile
from hornbook.matcher.program.coded import Derivation, Fact, PredicateId, RuleId
from hornbook.matcher.program.coded import Rule as CodedRule
from hornbook.matcher.program.errors import ConcurrentUseError, EngineError, LimitError

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")
Holder = TypeVar("Holder", bound="HeldFacts")


def alone(
    method: Callable[Concatenate[Holder, Arguments], Result],
) -> Callable[Concatenate[Holder, Arguments], Result]:
    """A method that waits until no other thread is inside."""

    @wraps(method)
    def called(base: Holder, /, *arguments: Arguments.args, **named: Arguments.kwargs) -> Result:
        with base._inside:  # noqa: SLF001 - it is a method of that class
            return method(base, *arguments, **named)

    return called


class HeldFacts:
    """The facts that hold now. The side of a knowledge base that only reads."""

    # The engine, with all but the rules that wait.
    _engine: AnyEngine

    def __init__(self, coding: Coding) -> None:
        self._inside = RLock()
        self.coding = coding
        self._rules: tuple[Rule, ...] = ()
        self._waiting: tuple[CodedRule, ...] = ()
        self._is_asked = False
        # What the rules that wait did not end with; nothing has changed since.
        self._endless: KnowledgeBaseError | None = None

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules of the theory and, after them, those that were added."""
        return self._rules

    @property
    def _asked_engine(self) -> AnyEngine:
        """The engine, in which no rule waits any more. Raises as `conclude` does."""
        if self._waiting or not self._is_asked:
            self.conclude()
        return self._engine

    @alone
    def conclude(self) -> None:
        """Concludes what follows, where rules wait for the first question; every question does so. Raises KnowledgeBaseError
        where that contradicts a declaration or passes a limit; then they wait on, for facts to be added or retracted.
        """
        self._is_asked = True
        if not self._waiting:
            return
        if self._endless is not None:
            raise self._endless
        try:
            self._engine.update(add_rules=self._waiting)
        except EngineError as problem:
            described = self._fault(problem)
            if isinstance(problem, LimitError):
                self._endless = described
            raise described from problem
        self._waiting = ()

    @alone
    def must_fit(self) -> None:
        """Raises KnowledgeBaseError where what follows contradicts a declaration. Rules that do not end without facts that are
        still to come contradict none.
        """
        try:
            self.conclude()
        except KnowledgeBaseError as problem:
            if problem is not self._endless:
                raise

    @alone
    def statistics(self) -> Statistics:
        """How many facts of each relation there are now; none of them with the plain engine."""
        return self._asked_engine.statistics() if isinstance(self._asked_engine, Engine) else {}

    @alone
    def profiled(self, run: Callable[[], Result]) -> tuple[Result, Profile]:
        """What a call gives, and where the time of the updates that it makes went. Raises TypeError with the plain engine,
        which counts no time.
        """
        if not isinstance(self._engine, Engine):
            raise TypeError("the plain engine counts no time")
        self._engine.profile(True)
        try:
            return run(), self._engine.profile_report()
        finally:
            self._engine.profile(False)

    def facts_so_far(self) -> int | None:
        """How many facts there were a moment ago, while another thread is inside; None where the engine does not count them.
        Waits for no other thread.
        """
        told = getattr(self._engine, "facts_so_far", None)
        return None if told is None else int(told())

    @property
    def can_be_interrupted(self) -> bool:
        """Whether an interrupt is safe at this moment, so that nothing is left half done: the compiled engine is at work and
        looks it up itself, or the engine is the plain one. Waits for no other thread, since signal handlers ask.
        """
        if not isinstance(self._engine, Engine):
            return True
        try:
            self._engine.bytes()
        except ConcurrentUseError:
            return True
        return False

    @alone
    def facts(self, relation: str | None = None, tense: Tense | None = None) -> Iterator[GroundFact]:
        """All facts that hold now, given and derived, of one relation or of all, sorted."""
        wanted = [
            number
            for number, shape in enumerate(self.coding.relations)
            if relation in (None, shape.template.relation) and tense in (None, shape.template.tense)
        ]
        ground, found = self.coding.ground, self._rows_of(wanted)
        return (
            fact
            for number, rows in found.items()
            for fact in sorted_rows(ground(Fact(number, row)) for row in rows)
        )

    @alone
    def given(self) -> list[GroundFact]:
        """The facts that were given, those of the theory too, sorted by relation."""
        numbers = range(len(self.coding.relations))
        return [
            self.coding.ground(Fact(n, cells)) for n in numbers for cells in sorted(self._engine.given(n))
        ]

    @alone
    def given_of(self, facts: Iterable[GroundFact]) -> set[GroundFact]:
        """Those of some facts that were given, at the moment that they mean. Raises FactError where one fits no declaration."""
        coded = [self.coding.fact(plain_fact(fact)) for fact in facts]
        given = {number: self._engine.given(number) for number in {fact.predicate for fact in coded}}
        return {self.coding.ground(fact) for fact in coded if fact.cells in given[fact.predicate]}

    @alone
    def firings(self) -> dict[int, int]:
        """How many facts each rule (by its place in `rules`) is the recorded reason of."""
        counts: dict[int, int] = {}
        for number, rows in self._rows_of(range(len(self.coding.relations))).items():
            for cells in rows:
                derivation = self._asked_engine.derivation(Fact(number, cells))
                if derivation is not None:
                    assert isinstance(derivation.rule, CodedRuleId)
                    counts[derivation.rule.index] = counts.get(derivation.rule.index, 0) + 1
        return counts

    @alone
    def snapshot(self) -> dict[Statement, frozenset[Fact]]:
        """The coded facts that hold now, by the statement that `relations` gives of their relation."""
        relations = self.coding.relations
        return {
            relations[number].template: frozenset(Fact(number, cells) for cells in rows)
            for number, rows in self._rows_of(range(len(relations))).items()
        }

    def relations(self) -> Iterator[Statement]:
        """A statement of every relation at every moment, with variables."""
        return (relation.template for relation in self.coding.relations)

    @alone
    def statements(self, relation: str, tense: Tense | None = None) -> list[Statement]:
        """All facts of one relation that hold at a moment, as statements, sorted. Raises FactError if the theory has no
        such relation.
        """
        held = [(self.coding.ground(fact), fact) for fact in self.held(relation, tense)]
        return [self.coding.statement(fact) for _, fact in sorted_rows(held)]

    @alone
    def held(self, relation: str, tense: Tense | None = None) -> list[Fact]:
        """The same, coded and in no order."""
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

    @alone
    def holds(self, said: Statement | GroundFact) -> bool:
        """Whether a ground statement or fact is given or follows."""
        try:
            return self.coded(said) in self._asked_engine
        except EngineError as problem:
            raise self._fault(problem) from problem

    @alone
    def derivation(self, fact: Fact, by: RuleId | None = None) -> Derivation | None:
        """The recorded derivation of a coded fact, None where it is given; or the first by one rule. Raises KeyError if it
        does not hold.
        """
        return self._asked_engine.derivation(fact, by)

    @alone
    def derivations(self, fact: Fact, by: RuleId | None = None) -> tuple[Derivation, ...]:
        """Every derivation of a coded fact, or those by one rule. Raises NoDerivationsError if not all are recorded."""
        return self._asked_engine.derivations(fact, by)

    @alone
    def derived_by(self, fact: Fact) -> tuple[RuleId, ...]:
        """The rules by which a coded fact has derivations: sooner told than these. Raises NoDerivationsError."""
        return self._asked_engine.derived_by(fact)

    @alone
    def coded(self, said: Statement | GroundFact) -> Fact:
        """The coded fact of a ground statement or fact, whether it holds or not."""
        if isinstance(said, GroundFact):
            return self.coding.fact(plain_fact(said))
        return self.coding.fact_of(said)

    @alone
    def conclusion(self, fact: Fact) -> Statement:
        """What a coded fact says, as it would be written: without its moment where the theory has only one."""
        return self.coding.statement(fact)

    @alone
    def ground(self, fact: Fact) -> GroundFact:
        """What a coded fact says, with its moment."""
        return self.coding.ground(fact)

    def rule_of(self, by: RuleId) -> tuple[int, Rule, Tense | None]:
        """The rule that a derivation is by: its place in `rules`, the rule, and the moment that it was read at."""
        assert isinstance(by, CodedRuleId)
        return by.index, self.rules[by.index], by.moment

    def bindings(self, derivation: Derivation) -> dict[str, Constant]:
        """What the variables of a derivation's rule stand for in it."""
        assert isinstance(derivation.rule, CodedRuleId)
        return self.coding.substitution(derivation.rule, derivation.binding)

    @alone
    def words(self, sort: str, most: int) -> list[str]:
        """Words of a sort that occur in facts, sorted; of more than `most`, those that are met first. What is concluded only
        where it is demanded is not asked for.
        """
        found: dict[int, None] = {}
        for number, relation in enumerate(self.coding.relations):
            places = [place for place, of in enumerate(relation.sorts) if of == sort]
            if places and len(found) < most and number not in self.coding.demanded:
                rows = self._engine.facts(number)
                found.update(dict.fromkeys(cells[place] for cells in rows for place in places))
        said = map(self.coding.word, list(found)[:most])
        return sorted(word for word in said if isinstance(word, str))

    def _rows_of(self, numbers: Sequence[PredicateId]) -> dict[PredicateId, AbstractSet[tuple[int, ...]]]:
        """The facts of some predicates that hold now."""
        if isinstance(self._asked_engine, DemandEngine | GuardedEngine):
            try:
                self._asked_engine.take_whole(numbers)
            except EngineError as problem:
                raise self._fault(problem) from problem
        return {number: self._rows(number) for number in numbers}

    def _rows(self, number: PredicateId) -> AbstractSet[tuple[int, ...]]:
        """The facts of a predicate that hold now."""
        try:
            return self._asked_engine.facts(number)
        except EngineError as problem:
            raise self._fault(problem) from problem

    def _fault(self, problem: EngineError, query: CodedQuery | None = None) -> KnowledgeBaseError:
        return fault(problem, self.coding, lambda rule_id: self.rules[rule_id.index], query)
