"""Evaluation of many states by the compiled engine, without a Python object for each fact or state.

Invariants: The results for a state are those of a `CompiledEngine` with the same rules, the shared facts and
the facts of this state. They do not depend on the number of threads.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, is_dataclass
from itertools import chain
from typing import Any

from hornbook.matcher import _core
from hornbook.matcher.compiled.faults import error_of
from hornbook.matcher.compiled.processors import processors
from hornbook.matcher.program.coded import (
    Call,
    CodedCondition,
    CodedPredicate,
    CodedRule,
    Derivation,
    Fact,
    Limits,
    PredicateId,
    RuleId,
    Var,
)
from hornbook.matcher.program.conjunction import Conjunction, check_rules
from hornbook.matcher.program.engine import Measure, Statistics
from hornbook.matcher.program.errors import EngineError, MalformedError
from hornbook.matcher.program.states import (
    LeadingConclusion,
    StateBlock,
    StateConclusion,
    StateResults,
    StateTable,
)
from hornbook.matcher.program.stratify import strata
from hornbook.matcher.program.wellformed import check_fact, check_predicates, check_query

Query = tuple[Sequence[CodedCondition], Sequence[Var]]
"""The conditions of a query, and the variables of its answers."""
_FEW_STATES = 256
"""The least number of states for another thread."""
_SAMPLED = 4
"""The number of states that are measured before rules are planned."""


class StateEngine:
    """Rules and shared facts, which are evaluated in many states.

    The first evaluation plans the rules. Without statistics, some of its states are measured before.

    Args:
        predicates: The predicates.
        rules: The rules. Their names are unique.
        facts: The given facts that all states share.
        limits: The limits of each state.
        statistics: The measures of typical states.
        threads: The number of threads, by default the number of `processors`. Rules and queries with
            functions use one.

    Raises:
        MalformedError, UnsafeRuleError, NotStratifiedError: The rules or facts do not fit.
    """

    def __init__(
        self,
        predicates: Iterable[CodedPredicate],
        rules: Iterable[CodedRule],
        facts: Iterable[Fact] = (),
        *,
        limits: Limits = Limits(),  # noqa: B008 - frozen
        statistics: Statistics | None = None,
        threads: int | None = None,
    ) -> None:
        self._predicates = tuple(predicates)
        check_predicates(self._predicates)
        self._rules = tuple(rules)
        self._facts = tuple(facts)
        self._limits = limits
        self._threads = threads or processors()
        self._statistics = statistics
        self._cores: list[_Core] = []
        self._probe = _Core(self, statistics or {})
        if statistics is not None:
            self._cores.append(self._probe)

    def evaluate(
        self,
        block: StateBlock,
        requested: Sequence[PredicateId] = (),
        *,
        explained: Sequence[PredicateId] = (),
        leading: Sequence[PredicateId] = (),
        has_premises: bool = False,
        query: Query | None = None,
        most_answers: int | None = None,
    ) -> StateResults:
        """Evaluate all rules in each state.

        Args:
            block: The states.
            requested: The predicates whose facts are returned.
            explained: The predicates whose facts are returned with all derivations.
            leading: The predicates of whose facts with the same last cell those with the least first cell are
                returned, each with the facts of one derivation.
            has_premises: Whether derivations have premises.
            query: A query to answer in each state.
            most_answers: The number of answers of each state that are returned.

        Raises:
            MalformedError: The columns do not fit the predicates or the number of states.
            UnsafeRuleError: The query does not bind a variable.
        """
        if query is not None:
            check_query(*query, self._predicates)
        request = (list(requested), list(explained), list(leading), has_premises, query, most_answers)
        if not self._cores:
            self._cores.append(_Core(self, self._measured(block)))
        # Two threads could give one new word two cells.
        is_parallel = not (self._cores[0].has_functions or _has_call(query))
        parts = _parts(block, self._threads if is_parallel else 1)
        while len(self._cores) < len(parts):
            self._cores.append(_Core(self, self._cores[0].statistics))
        if len(parts) == 1:
            return self._cores[0].evaluate(block, parts[0], *request)
        with ThreadPoolExecutor(len(parts)) as pool:
            work = zip(self._cores, parts, strict=False)
            running = [pool.submit(core.evaluate, block, part, *request) for core, part in work]
            return _joined([each.result() for each in running], requested)

    @property
    def statistics(self) -> Statistics:
        """The measures with which the rules were planned, for another engine; empty before the first use."""
        return self._cores[0].statistics if self._cores else {}

    def _measured(self, block: StateBlock) -> Statistics:
        """Return the mean measures of some states."""
        roots = _roots(block)
        if not roots:
            return {}
        chosen = sorted({roots[i * (len(roots) - 1) // max(1, _SAMPLED - 1)] for i in range(_SAMPLED)})
        sums: dict[PredicateId, list[tuple[float, tuple[float, ...]]]] = {}
        for state in chosen:
            self._probe.evaluate(block, (state, state + 1), [], [], [], False, None, None)
            for number, measure in self._probe.measures().items():
                sums.setdefault(number, []).append(measure)
        return {
            number: Measure(
                sum(rows for rows, _ in found) / len(found),
                tuple(sum(each) / len(found) for each in zip(*(d for _, d in found), strict=True)),
            )
            for number, found in sums.items()
        }

    def explain_refusal(self) -> None:
        """Raise the error of rules or facts that the core refused."""
        check_rules(self._rules, self._predicates)
        for fact in self._facts:
            check_fact(fact, self._predicates)
        strata(self._rules)


class _Core:
    """A core with all rules, for one thread."""

    def __init__(self, of: StateEngine, statistics: Statistics) -> None:
        self.statistics = statistics
        self._limits = of._limits  # noqa: SLF001 - a part of that class
        self._predicates = of._predicates  # noqa: SLF001
        most = self._limits
        facts, memory = (bound and min(bound, 2**64 - 1) for bound in (most.facts, most.bytes))
        measures = {n: (float(m.rows), tuple(map(float, m.distinct))) for n, m in statistics.items()}
        self._engine = _core.Engine.make(facts, memory, most.seconds, measures)
        self._engine.add_predicates([(each.arity, each.key, each.counts) for each in self._predicates])
        self._states = _core.States.make(self._engine)
        try:
            numbers = self._states.add_rules(of._rules)  # noqa: SLF001
            self._states.add_facts(of._facts)  # noqa: SLF001
        except _core.Fault as problem:
            if problem.args[0] in ("malformed", "refused"):
                of.explain_refusal()
            raise self._error(problem.args) from None
        self._names: dict[int, RuleId] = {n: r.id for n, r in zip(numbers, of._rules, strict=True)}  # noqa: SLF001
        self.has_functions = self._states.has_functions()

    def measures(self) -> dict[PredicateId, tuple[float, tuple[float, ...]]]:
        """Return the number of facts of each predicate in the last state, and of distinct cells by column."""
        return {number: self._engine.measure(number) for number in range(len(self._predicates))}

    def evaluate(
        self,
        block: StateBlock,
        part: tuple[int, int],
        requested: list[PredicateId],
        explained: list[PredicateId],
        leading: list[PredicateId],
        has_premises: bool,  # noqa: FBT001
        query: Query | None,
        most_answers: int | None,
    ) -> StateResults:
        """Evaluate the states from `part[0]` to before `part[1]`."""
        try:
            tables, answers, conclusions, leaders, faults = self._states.evaluate(
                *part,
                block.states,
                block.common,
                block.given,
                block.removed,
                block.last,
                block.parents,
                requested,
                explained,
                leading,
                has_premises,
                None if query is None else (tuple(query[0]), tuple(query[1])),
                most_answers,
            )
        except _core.Fault as problem:
            if problem.args[0] == "malformed":
                raise MalformedError(
                    "columns need ascending states, a predicate's width, one length, and 64-bit integers"
                ) from None
            if problem.args[0] == "refused" and query is not None:
                Conjunction(*query)
            raise self._error(problem.args) from None
        return StateResults(
            {number: _table(columns) for number, columns in zip(requested, tables, strict=True)},
            _table(answers),
            tuple(
                StateConclusion(state, fact, tuple(self._derivation(*each) for each in derivations))
                for state, fact, derivations in conclusions
            ),
            tuple(LeadingConclusion(*each) for each in leaders),
            {state: self._error(fault) for state, fault in faults},
        )

    def _derivation(
        self, number: int, binding: tuple[int | None, ...], premises: tuple[Any, ...]
    ) -> Derivation:
        return Derivation(self._names[number], binding, premises)

    def _error(self, fault: tuple[Any, ...]) -> EngineError:
        kind, *values = fault
        return error_of(kind, tuple(values), self._limits, lambda number, _: self._names.get(number))


def _table(columns: Sequence[bytes]) -> StateTable:
    states, *cells = (memoryview(column).cast("q") for column in columns)
    return StateTable(states, tuple(cells))


def _has_call(value: object) -> bool:
    """Return whether a part of a query calls a function."""
    if isinstance(value, Call):
        return True
    if isinstance(value, tuple | list):
        return any(map(_has_call, value))
    return is_dataclass(value) and any(_has_call(getattr(value, each.name)) for each in fields(value))


def _roots(block: StateBlock) -> list[int]:
    if block.parents is None:
        return list(range(block.states))
    return [state for state, parent in enumerate(block.parents) if parent < 0]


def _parts(block: StateBlock, threads: int) -> list[tuple[int, int]]:
    """Return ranges of states for several threads; a root and its descendants stay together."""
    number = min(threads, block.states // _FEW_STATES)
    if number < 2:
        return [(0, block.states)]
    roots = _roots(block)
    firsts = sorted({0, *(roots[i * len(roots) // number] for i in range(1, number))})
    return list(zip(firsts, [*firsts[1:], block.states], strict=True))


def _joined(found: Sequence[StateResults], requested: Sequence[PredicateId]) -> StateResults:
    """Return the results of successive parts as one."""
    if len(found) == 1:
        return found[0]

    def table(tables: Sequence[StateTable]) -> StateTable:
        columns = zip(*((each.states, *each.cells) for each in tables), strict=True)
        return _table([b"".join(parts) for parts in columns])

    return StateResults(
        {number: table([each.tables[number] for each in found]) for number in requested},
        table([each.answers for each in found]),
        tuple(chain.from_iterable(each.conclusions for each in found)),
        tuple(chain.from_iterable(each.leading for each in found)),
        dict(chain.from_iterable(each.errors.items() for each in found)),
    )
