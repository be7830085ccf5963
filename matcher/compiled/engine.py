"""The compiled engine: all consequences of facts and rules, with incremental maintenance.

The work is done by `hornbook.matcher._core` (C++, in `matcher/core/`). This module maps rule names to
numbers, and faults of the core to errors. If a program does not fit, the checks in `matcher/program/` find
the reason, so all engines raise the same error. The specification is the reference engine
(`oracles/reference/`).

Invariants: While no call is active, `_rules` contains the rules of the core, with the numbers of `_numbers`.
The value of a packed rule is None until `rules` is read.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from threading import Lock
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, cast
from warnings import warn

from hornbook.matcher import _core
from hornbook.matcher.compiled.faults import error_of
from hornbook.matcher.program.changes import Columns
from hornbook.matcher.program.coded import (
    Cell,
    Change,
    CodedCondition,
    CodedPredicate,
    CodedRule,
    Derivation,
    Fact,
    Limits,
    PredicateId,
    Row,
    RuleBinding,
    RuleId,
    Var,
)
from hornbook.matcher.program.conjunction import Conjunction, check_rules
from hornbook.matcher.program.engine import Capabilities, Measure, Statistics, StoredDerivations
from hornbook.matcher.program.engine import Engine as EngineProtocol
from hornbook.matcher.program.errors import (
    ConcurrentUseError,
    DuplicateRuleError,
    EngineError,
    MalformedError,
    MarkError,
    NoDerivationsError,
    UnknownRuleError,
)
from hornbook.matcher.program.packed import PackedRules
from hornbook.matcher.program.states import StateColumns
from hornbook.matcher.program.stratify import strata
from hornbook.matcher.program.wellformed import (
    check_fact,
    check_predicates,
    check_query,
    predicate_of,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hornbook.matcher.compiled.network import Network
    from hornbook.matcher.program.profile import Profile

Answer = TypeVar("Answer")
Group = _core.Group


class FactSet(AbstractSet[Fact]):
    """The facts that an update added, or those that it removed; they are created only on access."""

    __slots__ = ("_added", "_change", "_facts")

    def __init__(self, change: _core.Change, *, added: bool) -> None:
        self._change = change
        self._added = added
        self._facts: frozenset[Fact] | None = None

    def _all(self) -> frozenset[Fact]:
        if self._facts is None:
            self._facts = frozenset(_answer_of(self._change.facts, self._added))
        return self._facts

    def __len__(self) -> int:
        return self._change.size(self._added)

    def __iter__(self) -> Iterator[Fact]:
        return iter(self._all())

    def __contains__(self, fact: object) -> bool:
        return fact in self._all()

    def __repr__(self) -> str:
        return repr(set(self._all()))

    @classmethod
    def _from_iterable(cls, facts: Iterable[Fact]) -> AbstractSet[Fact]:  # type: ignore[override]
        return frozenset(facts)

    def columns(self, predicate: PredicateId) -> tuple[NDArray[np.int64], ...]:
        """Return the facts of one predicate, as an array for each of its columns. Needs NumPy."""
        return _answer_of(self._change.columns, self._added, predicate)


def _answer_of(call: Callable[..., Answer], *arguments: object) -> Answer:
    """Return the core's answer to a query about a change."""
    try:
        return call(*arguments)
    except _core.Fault as problem:
        if problem.args[0] == "busy":
            raise ConcurrentUseError from None
        raise MalformedError(f"there is no predicate {arguments[-1]!r}") from None
    except TypeError:
        raise MalformedError(f"there is no predicate {arguments[-1]!r}") from None


def _arrays(columns: Mapping[PredicateId, Columns] | None) -> dict[PredicateId, list[Any]] | None:
    """Return the columns as NumPy arrays, without a copy of their cells. Raises MalformedError."""
    if columns is None:
        return None
    if all(type(column) is array and column.typecode == "q" for each in columns.values() for column in each):
        return {number: list(each) for number, each in columns.items()}
    import numpy as np  # noqa: PLC0415 - only who has columns needs it

    try:
        arrays = {number: [np.asarray(column) for column in each] for number, each in columns.items()}
    except (AttributeError, TypeError, ValueError) as problem:
        raise MalformedError(f"columns are arrays by predicate: {problem}") from None
    if any(array.dtype != np.int64 or array.ndim != 1 for each in arrays.values() for array in each):
        raise MalformedError("a column is a 1-D array of 64-bit integers")
    return arrays


class _Reservation:
    """A context that only one thread enters at a time; another one gets an error."""

    def __init__(self) -> None:
        self._lock = Lock()

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):
            raise ConcurrentUseError

    def __exit__(self, *_: object) -> None:
        self._lock.release()


class CompiledEngine(EngineProtocol):
    """An engine that maintains all consequences of facts and rules.

    Args:
        derivations: "none" provides no derivations, "one" and "all" do; derivations are reconstructed on
            demand, so
            neither needs memory.
        limits: Bounds on the facts and bytes of the engine, and on the seconds of each call.
        statistics: The expected numbers of facts (those of other predicates are measured); they affect the
            speed of
            matching, never the results.
        capacity: Rows of a predicate, derivations of a fact, rules; only for tests. A CapacityError reports
            an excess.

    An engine serves one thread at a time; a concurrent call from a second thread raises ConcurrentUseError.
    Several engines can work in parallel in several threads.
    """

    capabilities = Capabilities(columns=True, profile=True)

    def __init__(
        self,
        predicates: Sequence[CodedPredicate] = (),
        *,
        derivations: StoredDerivations = "one",
        limits: Limits = Limits(),  # noqa: B008 - frozen
        statistics: Statistics | None = None,
        capacity: tuple[int, ...] = (),
    ) -> None:
        self._predicates: list[CodedPredicate] = []
        self._kept = derivations
        self._limits = limits
        self._rules: dict[RuleId, CodedRule | None] = {}
        self._packed: list[PackedRules] = []
        """The rules whose values in `_rules` may be None."""
        self._numbers: dict[RuleId, int] = {}
        self._names: dict[int, RuleId] = {}
        self._reservation = _Reservation()
        # Ignore statistics of predicates with impossible numbers.
        measures = {
            number: (float(each.rows), tuple(map(float, each.distinct)))
            for number, each in (statistics or {}).items()
            if 0 <= number < 2**32
        }
        self._widths = {number: len(distinct) for number, (_, distinct) in measures.items()}
        facts, memory = (bound and min(bound, 2**64 - 1) for bound in (limits.facts, limits.bytes))
        most = (capacity,) if capacity else ()
        self._core = _core.Engine.make(facts, memory, limits.seconds, measures, *most)
        self.add_predicates(predicates)

    def _exclusive(self) -> _Reservation:
        """Reserve the engine while the core and the names of its rules are consistent.

        Raises ConcurrentUseError.
        """
        return self._reservation

    def add_predicates(self, predicates: Iterable[CodedPredicate]) -> None:
        """Add predicates; their numbers continue those of the existing ones. Raises MalformedError."""
        more = tuple(predicates)
        with self._exclusive():
            check_predicates([*self._predicates, *more])
            for number, each in enumerate(more, len(self._predicates)):
                if self._widths.get(number, each.arity) != each.arity:
                    raise MalformedError(f"the statistics of predicate {number} are of another width")
            self._ask(self._core.add_predicates, [(each.arity, each.key, each.counts) for each in more])
            self._predicates.extend(more)

    @property
    def rules(self) -> Mapping[RuleId, CodedRule]:
        while self._packed:
            for rule in self._packed.pop().rules():
                if rule.id in self._rules and self._rules[rule.id] is None:
                    self._rules[rule.id] = rule
        return MappingProxyType(cast("dict[RuleId, CodedRule]", self._rules))

    def add_packed(self, rules: PackedRules) -> None:
        """Add rules in packed form. Raises the errors of `update`."""
        with self._exclusive():
            self._check_names((), rules.ids)
            try:
                numbers = self._core.add_packed(rules.data, len(rules.ids))
            except _core.Fault as problem:
                if problem.args[0] == "malformed":
                    message = "these are no packed rules for the predicates"
                    raise MalformedError(message) from None
                self._explain(problem, (), (), rules.rules(), ())
            self._rules.update(dict.fromkeys(rules.ids))
            self._packed.append(rules)
            self._number(rules.ids, numbers)

    def _number(self, rules: Iterable[RuleId], numbers: Iterable[int]) -> None:
        """Record the numbers of new rules."""
        for rule, number in zip(rules, numbers, strict=True):
            self._numbers[rule] = number
            self._names[number] = rule

    def update(
        self,
        *,
        add: Iterable[Fact] = (),
        retract: Iterable[Fact] = (),
        add_rules: Iterable[CodedRule] = (),
        remove_rules: Iterable[RuleId] = (),
        add_columns: Mapping[PredicateId, Columns] | None = None,
        retract_columns: Mapping[PredicateId, Columns] | None = None,
    ) -> Change:
        """Remove given facts and rules, then add others, and saturate: see Engine.update.

        `add_columns` and `retract_columns` are also facts, column by column. A column that is no array of
        64-bit integers, or differs in length from the others, raises MalformedError.
        """
        add, retract = tuple(add), tuple(retract)
        new, removed = tuple(add_rules), tuple(remove_rules)
        add_arrays, retract_arrays = _arrays(add_columns), _arrays(retract_columns)
        with self._exclusive():
            if new or removed:
                self._check_names(removed, [rule.id for rule in new])
            numbers = [self._numbers[name] for name in removed]
            try:
                change, numbers = self._core.update(add, retract, new, numbers, add_arrays, retract_arrays)
            except _core.Fault as problem:
                self._explain(problem, add, retract, new, removed)
            for name in removed:
                del self._rules[name], self._names[self._numbers.pop(name)]
            self._rules.update((rule.id, rule) for rule in new)
            self._number([rule.id for rule in new], numbers)
        return Change(FactSet(change, added=True), FactSet(change, added=False))

    def group(self, facts: Iterable[Fact]) -> Group:
        """Return facts to be added or retracted together; they are read only once. Raises MalformedError."""
        read = tuple(facts)
        try:
            return self._core.group(read)
        except _core.Fault as problem:
            self._explain(problem, read, (), (), ())

    def named_group(
        self,
        rows: dict[Any, list[tuple[str | int, ...]]],
        numbers: dict[tuple[str, str | None], PredicateId],
        words: list[tuple[dict[str | int, int] | None, ...]],
    ) -> Group | None:
        """Return a group of facts given by name: rows of values by relation and moment.

        `numbers` has the predicates, and `words` has for each column of each predicate the cells of its
        words, or None for integers. The result is None if a row has a value that is not in these tables.
        """
        return self._ask(self._core.named_group, rows, numbers, words)

    def state_columns(self, states: list[list[Group]]) -> dict[PredicateId, StateColumns]:
        """Return the facts of many states, each in groups that this engine made, as columns for a
        `StateBlock`.
        """
        found = self._ask(self._core.state_columns, states)
        return {
            number: [memoryview(column).cast("q") for column in columns] for number, columns in found.items()
        }

    def exchange(self, retract: Iterable[Group], add: Iterable[Group]) -> None:
        """Retract and add groups that this engine made; like `update`, but without a result."""
        self._ask(self._core.exchange, tuple(retract), tuple(add))

    def _check_names(self, removed: Sequence[RuleId], added: Sequence[RuleId]) -> None:
        if self._ask(self._core.marks):
            raise MarkError("rules cannot change under a mark")
        seen: set[RuleId] = set()
        for name in removed:
            if name not in self._rules or name in seen:
                raise UnknownRuleError(name)
            seen.add(name)
        names: set[RuleId] = set()
        for name in added:
            if (name in self._rules and name not in seen) or name in names:
                raise DuplicateRuleError(name)
            names.add(name)

    def facts(self, predicate: PredicateId) -> frozenset[Row]:
        """Return the current facts of a predicate, given and derived; later updates do not change the set."""
        predicate_of(predicate, self._predicates)
        return frozenset(self._ask(self._core.rows, predicate, False))

    def given(self, predicate: PredicateId) -> frozenset[Row]:
        """Return the given facts of a predicate."""
        predicate_of(predicate, self._predicates)
        return frozenset(self._ask(self._core.rows, predicate, True))

    def columns(self, predicate: PredicateId) -> tuple[NDArray[np.int64], ...]:
        """Return the facts of a predicate, as an array for each of its columns. Needs NumPy."""
        predicate_of(predicate, self._predicates)
        return self._ask(self._core.columns, predicate)

    def count(self, predicate: PredicateId) -> int:
        """Return the number of facts of a predicate."""
        predicate_of(predicate, self._predicates)
        return self._ask(self._core.count, predicate)

    def __contains__(self, fact: Fact) -> bool:
        return self._ask(self._core.holds, fact)

    def query(self, body: Sequence[CodedCondition], variables: Sequence[Var]) -> list[Row]:
        """Return the distinct values of the variables for which all conditions hold, sorted."""
        return self._answers(self._core.query, body, variables)

    def query_columns(
        self, body: Sequence[CodedCondition], variables: Sequence[Var]
    ) -> tuple[NDArray[np.int64], ...]:
        """Return the answers of `query`, as an array for each variable. Needs NumPy."""
        return self._answers(self._core.query_columns, body, variables)

    def query_cells(self, body: Sequence[CodedCondition], variables: Sequence[Var]) -> tuple[int, bytes]:
        """Return the number of answers of `query`, and the answers as consecutive native 64-bit integers."""
        return self._answers(self._core.query_cells, body, variables)

    def _answers(
        self, call: Callable[..., Answer], body: Sequence[CodedCondition], variables: Sequence[Var]
    ) -> Answer:
        try:
            return call(tuple(body), tuple(variables))
        except _core.Fault as problem:
            if problem.args[0] in ("malformed", "refused"):
                check_query(body, variables, self._predicates)
                Conjunction(body, variables)
            raise self._error(problem) from None

    def derivation(self, fact: Fact, by: RuleId | None = None) -> Derivation | None:
        """Return a derivation of a fact from facts that were derived earlier, or None if it is given."""
        self._check_stored(fact, "one" if by is None else "all")
        with self._exclusive():
            found = self._ask(self._core.derivation, fact, None if by is None else self._numbers[by])
            return None if found is None else self._derivation(*found)

    def derivations(self, fact: Fact, by: RuleId | None = None) -> tuple[Derivation, ...]:
        """Return every derivation of a fact, even of a given one, or those `by` a rule."""
        self._check_stored(fact, "all")
        with self._exclusive():
            found = self._ask(self._core.derivations, fact, None if by is None else self._numbers[by])
            return tuple(self._derivation(*each) for each in found)

    def derived_by(self, fact: Fact) -> tuple[RuleId, ...]:
        """Return the rules with derivations of a fact; this is faster than the derivations.

        Raises the errors of `derivations`.
        """
        self._check_stored(fact, "all")
        with self._exclusive():
            return tuple(self._names[number] for number in self._ask(self._core.derived_by, fact))

    def bindings(self, fact: Fact) -> tuple[RuleBinding, ...]:
        """Return the rule and the binding of each derivation; this is faster than the derivations.

        Raises the errors of `derivations`.
        """
        self._check_stored(fact, "all")
        with self._exclusive():
            found = self._ask(self._core.bindings, fact)
            return tuple((self._names[number], binding) for number, binding in found)

    def founded_derivations(
        self, fact: Fact, by: RuleId, where: Mapping[int, Cell], most: int
    ) -> tuple[Derivation, ...]:
        """Return at most `most` derivations of a fact by one rule from facts that were derived earlier."""
        self._check_stored(fact, "one")
        rule = self.rules[by]
        if any(number >= rule.variables for number in where):
            raise MalformedError(f"the rule {by!r} has only {rule.variables} variables")
        if rule.head.predicate != fact.predicate:
            return ()
        head = zip(rule.head.terms, fact.cells, strict=True)
        in_head = {term.index: cell for term, cell in head if isinstance(term, Var)}
        if any(in_head.get(number, cell) != cell for number, cell in where.items()):
            return ()
        free = [(number, cell) for number, cell in where.items() if number not in in_head]
        with self._exclusive():
            found = self._ask(self._core.founded_derivations, fact, self._numbers[by], free, most)
            return tuple(self._derivation(*each) for each in found)

    def _check_stored(self, fact: Fact, least: StoredDerivations) -> None:
        if self._kept not in (least, "all"):
            raise NoDerivationsError(self._kept, least)
        if fact not in self:
            raise KeyError(fact)

    def _derivation(
        self, number: int, binding: tuple[int | None, ...], premises: tuple[Any, ...]
    ) -> Derivation:
        return Derivation(self._names[number], binding, premises)

    def push(self) -> None:
        """Mark the state that the matching `pop` restores."""
        self._ask(self._core.push)

    def pop(self) -> None:
        """Restore facts and derivations to the last mark, and remove the mark. Raises MarkError."""
        if not self._ask(self._core.pop):
            raise MarkError("there is no mark")

    def bytes(self) -> int:
        """Return the memory of facts, indexes and the network, in bytes."""
        return self._ask(self._core.bytes)

    def facts_so_far(self) -> int:
        """Return a recent number of facts, for another thread that waits for the active call."""
        return self._core.facts_so_far()

    @property
    def can_be_interrupted(self) -> bool:
        """Whether an interrupt is safe now: only during a call, because the core polls for interrupts."""
        try:
            self.bytes()
        except ConcurrentUseError:
            return True
        return False

    # Inspection

    def network(self, predicates: Iterable[PredicateId] = ()) -> Network:
        """Return the nodes of full matching, and of changes to the facts of some predicates, as data."""
        from hornbook.matcher.compiled.network import network_of  # noqa: PLC0415 - slow to import

        numbers = list(predicates)
        for predicate in numbers:
            predicate_of(predicate, self._predicates)
        with self._exclusive():
            return network_of(self._ask(self._core.network, numbers), self._names)

    def profile(self, enabled: bool) -> None:  # noqa: FBT001 - a switch
        """Start to measure the time of updates, from zero, or stop.

        Measuring costs time itself; updates that are not measured are as fast as before. If the removal of
        many rules causes a new network, the counts start again.
        """
        self._ask(self._core.count_time, enabled)

    def profile_report(self) -> Profile:
        """Return the times of the updates that were measured since the last `profile(True)`."""
        from hornbook.matcher.compiled.network import profile_of  # noqa: PLC0415 - slow to import

        with self._exclusive():
            return profile_of(self._ask(self._core.report), self._names)

    def statistics(self) -> dict[PredicateId, Measure]:
        """Return the current number of facts of each predicate, and of distinct cells in each column."""
        return {
            number: Measure(*self._ask(self._core.measure, number)) for number in range(len(self._predicates))
        }

    # Errors

    def _ask(self, call: Callable[..., Answer], *arguments: object) -> Answer:
        try:
            return call(*arguments)
        except _core.Fault as problem:
            raise self._error(problem) from None

    def _explain(
        self,
        problem: _core.Fault,
        add: Sequence[Fact],
        retract: Sequence[Fact],
        added: Sequence[CodedRule],
        removed: Sequence[RuleId],
    ) -> NoReturn:
        """Raise the error for a fault in an update."""
        if problem.args[0] in ("malformed", "refused"):
            check_rules(added, self._predicates)
            for fact in (*retract, *add):
                check_fact(fact, self._predicates)
            if problem.args[0] == "malformed":
                raise MalformedError(
                    "columns need a predicate's width, one length, and 64-bit integers"
                ) from None
            remaining = {name: rule for name, rule in self.rules.items() if name not in set(removed)}
            strata([*remaining.values(), *added])
        raise self._error(problem, added) from None

    def _error(self, problem: _core.Fault, added: Sequence[CodedRule] = ()) -> EngineError:
        kind, *values = problem.args

        def rule_of(number: int, place: int | None) -> RuleId | None:
            return self._names.get(number) if place is None else added[place].id

        return error_of(kind, tuple(values), self._limits, rule_of)


def __getattr__(name: str) -> Any:
    if name == "Engine":
        warn("`Engine` is now `CompiledEngine`", DeprecationWarning, stacklevel=2)
        return CompiledEngine
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
