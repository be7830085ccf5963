"""The facts and rules of a knowledge base in an engine, which maintains the derived facts.

Rules that can only be stopped by facts (`matcher/demand/stopped_rules.py`) wait outside of the engine for the
first query, so that all given facts are added before them.

Invariants:

- The rules by number are those of the engine and the waiting ones.
- Every change is atomic. If the engine or the store refuses it, nothing changes.
- Callers hold the lock. No checks of proofs happen here, so only `kb/base` uses this class.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import AbstractContextManager, nullcontext
from functools import wraps
from itertools import chain
from threading import RLock
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Protocol, TypeVar

from hornbook.kb.ast.fact_columns import FactColumns
from hornbook.kb.ast.terms import Rule, Statement, Tense
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.changes.refusals import refuse_second_action
from hornbook.kb.base.fact_encoder import FactEncoder, Group
from hornbook.kb.lower.coding import CodedQuery, CodedRuleId, Coding
from hornbook.kb.lower.engines import EngineName, make_engine
from hornbook.kb.lower.errors import KnowledgeBaseError, described_error
from hornbook.kb.parse.facts import FactError, plain_fact
from hornbook.kb.sources.diagnostics import did_you_mean
from hornbook.matcher.demand.stopped_rules import only_facts_stop
from hornbook.matcher.program.changes import Columns
from hornbook.matcher.program.coded import CodedRule, Fact, Limits, PredicateId
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.engine import Engine, Statistics, StoredDerivations
from hornbook.matcher.program.errors import EngineError, KeyConflictError, LimitError, MarkError
from hornbook.matcher.program.packed import PackedRules

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hornbook.kb.store.write_through import WriteThroughStore

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


class Lockable(Protocol):
    """An object with the lock of a materialization."""

    @property
    def _lock(self) -> AbstractContextManager[object]: ...


Holder = TypeVar("Holder", bound=Lockable)


def exclusive(
    method: Callable[Concatenate[Holder, Arguments], Result],
) -> Callable[Concatenate[Holder, Arguments], Result]:
    """Return the method, made to wait until no other thread runs a method with the same lock."""

    @wraps(method)
    def called(holder: Holder, /, *arguments: Arguments.args, **named: Arguments.kwargs) -> Result:
        with holder._lock:  # noqa: SLF001  # `_lock` belongs to the class of the method
            return method(holder, *arguments, **named)

    return called


@dataclass(frozen=True, slots=True)
class _OpenMark:
    """The state saved by `push` while rules are waiting: the given facts, the waiting rules, and
    the reason.
    """

    given: frozenset[Fact]
    waiting: tuple[CodedRule, ...]
    endless: KnowledgeBaseError | None


class Materialization:
    """The facts and rules of a theory in an engine, and the store that receives the changes of facts.

    Raises:
        KnowledgeBaseError: The engine does not support a declaration.
    """

    def __init__(
        self,
        theory: Theory,
        *,
        derivations: StoredDerivations,
        limits: Limits,
        statistics: Statistics | None,
        engine: EngineName | None,
    ) -> None:
        self.lock = RLock()
        self._limits = limits
        self.theory = theory
        self.coding = Coding(theory.vocabulary)
        self.encoder = FactEncoder(theory, self.coding)
        self._rules: tuple[Rule, ...] = ()
        self._ready: Sequence[Rule] = ()
        """The last rules, which are read on demand."""
        self.store: WriteThroughStore | None = None
        self._waiting: tuple[CodedRule, ...] = ()
        self._is_queried = False
        # The error with which the evaluation of the waiting rules failed, until the next change.
        self._termination_error: KnowledgeBaseError | None = None
        self._open_marks: list[_OpenMark] = []
        self._engine_marks = 0
        self.gives_reasons = True
        """Whether an error about two values for one key names the rules that conclude them."""
        try:
            self.engine: Engine = make_engine(
                self.coding.predicates,
                derivations=derivations,
                limits=limits,
                statistics=statistics,
                name=engine,
                demanded=self.coding.demanded,
                unchanging=self.coding.unchanging,
            )
            """The engine with all rules except those that wait."""
        except EngineError as problem:
            raise self.described(problem) from problem

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules of the theory, followed by the added rules."""
        if self._ready:
            self._rules, self._ready = (*self._rules, *self._ready), ()
        return self._rules

    def rule(self, index: int) -> Rule:
        """Return one of the rules."""
        first = len(self._rules)
        return self._rules[index] if index < first else self._ready[index - first]

    def share_coding(self, coding: Coding) -> None:
        """Use another coding, in which all coded facts and rules have the same numbers."""
        self.coding = coding
        self.encoder = FactEncoder(self.theory, coding)

    def described(
        self, problem: EngineError, query: CodedQuery | None = None, **change: Any
    ) -> KnowledgeBaseError:
        """Return an error of the engine in terms of the theory. `query` is the evaluated query, if any.
        `change` has the fields of a `RefusedChange`.
        """

        def rule_of(rule_id: CodedRuleId) -> Rule:
            return self.rule(rule_id.index)

        described = described_error(problem, self.coding, rule_of, query)
        if self.gives_reasons and isinstance(problem, KeyConflictError):
            from hornbook.kb.lower.conflicts import RefusedChange, reasons_of  # noqa: PLC0415 - slow to import

            refused = RefusedChange(**change)
            reasons = reasons_of(problem, self.engine, refused, self.coding, rule_of, self._limits)
            return KnowledgeBaseError(f"{described}: {reasons}") if reasons else described
        return described

    # Evaluation

    @property
    def evaluated_engine(self) -> Engine:
        """The engine with no waiting rules. Raises as `evaluate` does."""
        if self._waiting or not self._is_queried:
            self.evaluate()
        return self.engine

    def evaluate(self) -> None:
        """Add the waiting rules and evaluate them.

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
            self.engine.update(add_rules=self._waiting)
        except EngineError as problem:
            described = self.described(problem, rules=self._waiting)
            if isinstance(problem, LimitError):
                self._termination_error = described
            raise described from problem
        self._waiting = ()

    def check_consistency(self) -> None:
        """Raise KnowledgeBaseError if the consequences contradict a declaration.

        Rules that do not terminate without further facts do not count as a contradiction.
        """
        try:
            self.evaluate()
        except KnowledgeBaseError as problem:
            if problem is not self._termination_error:
                raise

    # Facts and answers

    def given(self) -> Iterator[Fact]:
        """Yield the given facts, including those of the theory."""
        numbers = range(len(self.coding.relations))
        return (Fact(number, cells) for number in numbers for cells in self.engine.given(number))

    def number(self, relation: str, tense: Tense | None) -> PredicateId:
        """Return the coded predicate of a relation. Raises FactError if there is no such relation."""
        try:
            return self.coding.predicate_id(relation, tense)
        except KeyError:
            hint = did_you_mean(relation, {each.template.relation for each in self.coding.relations})
            raise FactError(
                f"there is no relation `{relation}` at this moment" + (f"; {hint}" if hint else "")
            ) from None

    def rows(self, number: PredicateId) -> AbstractSet[tuple[int, ...]]:
        """Return the facts of a predicate that hold now."""
        try:
            return self.evaluated_engine.facts(number)
        except EngineError as problem:
            raise self.described(problem) from problem

    def rows_of(self, numbers: Sequence[PredicateId]) -> dict[PredicateId, AbstractSet[tuple[int, ...]]]:
        """Return the facts of some predicates that hold now."""
        try:
            self.evaluated_engine.take_whole(numbers)
        except EngineError as problem:
            raise self.described(problem) from problem
        return {number: self.rows(number) for number in numbers}

    def encode(self, fact: Statement | GroundFact) -> Fact:
        """Return the coded fact of a ground statement or fact, whether it holds or not."""
        if isinstance(fact, GroundFact):
            return self.coding.fact(plain_fact(fact))
        return self.coding.fact_of(fact)

    def holds(self, fact: Fact) -> bool:
        """Return whether a coded fact is given or derived."""
        try:
            return fact in self.evaluated_engine
        except EngineError as problem:
            raise self.described(problem) from problem

    def answers(self, query: CodedQuery) -> list[tuple[int, ...]]:
        """Return the coded answers to a query."""
        try:
            return self.evaluated_engine.query(query.conditions, query.variables)
        except EngineError as problem:
            raise self.described(problem, query) from problem

    def answer_columns(self, query: CodedQuery) -> tuple[NDArray[np.int64], ...]:
        """Return the coded answers to a query as a column for each variable."""
        try:
            return self.evaluated_engine.query_columns(query.conditions, query.variables)
        except EngineError as problem:
            raise self.described(problem, query) from problem

    # Changes

    def update(
        self,
        *,
        add: Sequence[Fact] = (),
        retract: Sequence[Fact] = (),
        rules: Sequence[Rule] = (),
        drop_rules: int = 0,
    ) -> None:
        """Change facts and rules in the engine and the store.

        Raises:
            KnowledgeBaseError: The consequences contradict the theory, or a limit is exceeded.
            StoreError: The store refuses the change.
        """
        assert not (rules and drop_rules), "a number is not given to two rules at once"
        before = self.rules
        first = len(before) - drop_rules
        removed = {coded.id for coded in self._coded_rules(before[first:], first)}
        coded_rules: Sequence[CodedRule] = self._coded_rules(rules, first)
        outside = {rule.id for rule in self._waiting}
        waiting = tuple(rule for rule in self._waiting if rule.id not in removed)
        if not all(rule.learned for rule in rules) and self._must_wait(coded_rules):
            waiting, coded_rules = (*waiting, *coded_rules), ()
        self._rules = (*before[:first], *rules)
        try:
            refuse_second_action(self.engine, self.coding, add, retract)
            with self._stored_change(add, retract, coded_rules):
                self.engine.update(
                    add=add, retract=retract, add_rules=coded_rules, remove_rules=removed - outside
                )
        except EngineError as problem:
            described = self.described(problem, add=add, retract=retract, rules=coded_rules)
            self._rules = before
            raise described from problem
        except BaseException:
            self._rules = before
            raise
        self._waiting, self._termination_error = waiting, None

    def _stored_change(
        self, add: Sequence[Fact], retract: Sequence[Fact], rules: Sequence[CodedRule]
    ) -> AbstractContextManager[None]:
        """Return a context that changes the facts of the store, if there is one, with those of the engine."""
        if self.store is None:
            return nullcontext()
        from hornbook.kb.base.changes.stored_changes import stored_change  # noqa: PLC0415 - slow to import

        return stored_change(self.store, self.engine, self.coding, add, retract, rules)

    def add_packed(self, rules: Sequence[Rule], packed: PackedRules) -> None:
        """Add rules that are packed for this coding. They are read on demand.

        Raises:
            KnowledgeBaseError: The consequences contradict the theory, or a limit is exceeded.
        """
        self._rules, self._ready = self.rules, rules
        try:
            self.engine.add_packed(packed)
        except EngineError as problem:
            described = self.described(problem)
            self._ready = ()
            raise described from problem
        except BaseException:
            self._ready = ()
            raise
        self._termination_error = None

    def _coded_rules(self, rules: Sequence[Rule], first: int) -> list[CodedRule]:
        """Return the coded rules, which are numbered from `first`."""
        return [coded for i, rule in enumerate(rules, first) for coded in self.coding.rule(i, rule)]

    def _must_wait(self, coming: Sequence[CodedRule]) -> bool:
        """Return whether the rules must wait for the first query."""
        if self._waiting or self._is_queried:
            return bool(self._waiting)
        return only_facts_stop(chain(self.engine.rules.values(), coming))

    def exchange_groups(self, retract: Sequence[Group], add: Sequence[Group]) -> None:
        """Exchange groups of facts, which no store receives.

        Raises:
            ValueError: A store is open for writing.
            KnowledgeBaseError: The consequences contradict the theory, or a limit is exceeded.
        """
        if self.store is not None:
            raise ValueError("change facts that a store keeps with `exchange`")
        come = [action for group in add for action in group.actions]
        refuse_second_action(
            self.engine, self.coding, come, [action for group in retract for action in group.actions]
        )
        try:
            self.engine.exchange([group.coded for group in retract], [group.coded for group in add])
            self._termination_error = None
        except EngineError as problem:
            raise self.described(problem) from problem

    def add_columns(self, facts: FactColumns) -> bool:
        """Add the facts of a table at once. Return False if they must be checked one by one."""
        coded, store = self._columns(facts), self.store
        if coded is None or (store is not None and coded[0] in self.encoder.not_plain):
            return False
        if store is None:
            self._insert((), dict([coded]))
            return True
        from hornbook.kb.base.changes.stored_changes import stored_columns_change  # noqa: PLC0415 - slow to import

        with stored_columns_change(store, self.engine, self.coding, facts, coded[0], self.encoder.coded):
            self._insert((), dict([coded]))
        return True

    def add_stored(self, tables: Iterable[FactColumns]) -> None:
        """Add the facts of a store, all at once."""
        add: list[Fact] = []
        columns: dict[PredicateId, Columns] = {}
        for facts in tables:
            coded = self._columns(facts)
            if coded is None or coded[0] in columns:
                add += self.encoder.given(facts)
            else:
                columns.update([coded])
        refuse_second_action(self.engine, self.coding, add, ())
        self._insert(add, columns)

    def _columns(self, facts: FactColumns) -> tuple[PredicateId, Columns] | None:
        """Return the coded facts of a table, or None if they must be checked one by one or the engine takes
        no columns.
        """
        return self.encoder.columns(facts) if self.engine.capabilities.columns else None

    def _insert(self, add: Sequence[Fact], columns: Mapping[PredicateId, Columns]) -> None:
        try:
            self.engine.update(add=add, add_columns=columns)
            self._termination_error = None
        except EngineError as problem:
            raise self.described(problem, add=add, columns=columns) from problem

    # Marks

    def push(self) -> None:
        """Save the present facts, so that `pop` can restore them."""
        self.check_consistency()
        if self._waiting:
            self._open_marks.append(
                _OpenMark(frozenset(self.given()), self._waiting, self._termination_error)
            )
        else:
            try:
                self.engine.push()
            except MarkError:
                raise
            except EngineError as problem:
                raise self.described(problem) from problem
            self._engine_marks += 1
        if self.store is not None:
            self.store.marks += 1

    def pop(self) -> None:
        """Restore the facts of the last mark. Raises MarkError if there is none."""
        if self._engine_marks or not self._open_marks:
            self.engine.pop()
            self._engine_marks -= 1
        else:
            mark = self._open_marks.pop()
            self.engine.update(
                add=mark.given,
                retract=set(self.given()).difference(mark.given),
                remove_rules=[rule.id for rule in mark.waiting if rule.id in self.engine.rules],
            )
            self._waiting, self._termination_error = mark.waiting, mark.endless
        if self.store is not None:
            self.store.marks -= 1
