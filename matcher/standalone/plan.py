"""Rules as steps over numbered slots, and rules with a common prefix as one trie, for a standalone program.

Invariants: Steps are data with structural equality. Slots are numbered in the order of their first use, so
rules that differ only in the names of their variables have equal steps. Slots local to a condition are free
again after it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import field
from typing import Literal

from hornbook.matcher.program.coded import (
    AbsentOf,
    AggregateOf,
    AllOf,
    Apply,
    Call,
    CodedCondition,
    CodedExpression,
    CodedPredicate,
    CodedRule,
    CodedTerm,
    Compare,
    CountOf,
    Match,
    PredicateId,
    Var,
)
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.operators import MIRRORED, ComparisonOperator
from hornbook.matcher.program.scope import bindable_variables, variables


@dataclass(frozen=True, slots=True)
class ReadStep:
    """The facts of a predicate whose cells equal those of `terms`.

    An unfilled Var is filled by its first column.
    """

    predicate: PredicateId
    terms: tuple[CodedTerm, ...]
    known: tuple[int, ...]
    """The columns whose cells are known before."""


@dataclass(frozen=True, slots=True)
class TestStep:
    operator: ComparisonOperator
    left: CodedExpression
    right: CodedExpression


@dataclass(frozen=True, slots=True)
class LetStep:
    """A step that fills a slot with a value."""

    slot: int
    value: Value


@dataclass(frozen=True, slots=True)
class IsStep:
    """A test whether an expression has this value."""

    expression: CodedExpression
    value: Value


@dataclass(frozen=True, slots=True)
class SetMembers:
    """A closed set: the members with this key, and their count."""

    count: PredicateId
    member: PredicateId
    key: tuple[CodedTerm, ...]


@dataclass(frozen=True, slots=True)
class Every:
    """A test whether the set is complete and the steps succeed for each member.

    The cells of the member fill `slots`.
    """

    members: SetMembers
    slots: tuple[int, ...]
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Never:
    """A test whether the steps fail."""

    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Number:
    """The number of members of the sets' union without the excluded ones; each set must be complete."""

    sets: tuple[SetMembers, ...]
    width: int
    excluded: tuple[CodedTerm, ...]


@dataclass(frozen=True, slots=True)
class Total:
    """A function of the values of these terms, over all ways to perform the steps."""

    function: Literal["count", "min", "max", "sum"]
    terms: tuple[CodedTerm, ...]
    steps: tuple[Step, ...]


Value = CodedExpression | Number | Total
Step = ReadStep | TestStep | LetStep | IsStep | Every | Never


@dataclass(slots=True)
class PlanNode:
    """A node of a trie.

    It has a step (None at the root), the rules whose steps end here, each with its slots by variable, and the
    children.
    """

    step: Step | None = None
    ends: list[tuple[int, Mapping[int, CodedTerm]]] = field(default_factory=list)
    children: dict[Step, PlanNode] = field(default_factory=dict)


Sizes = Mapping[PredicateId, tuple[float, Sequence[float]]]
"""The expected number of facts of a predicate, and of distinct cells in each of its columns."""
_UNKNOWN = 64.0, 8.0


def expected(
    match: PredicateId, known: Iterable[int], predicates: Sequence[CodedPredicate], sizes: Sizes
) -> float:
    """Return the expected number of facts if these columns are known."""
    columns = frozenset(known)
    rows, distinct = sizes.get(match, (_UNKNOWN[0], ()))
    for column in columns:
        rows /= max(1.0, distinct[column] if column < len(distinct) else _UNKNOWN[1])
    key = predicates[match].key
    return min(rows, 1.0) if key is not None and columns >= set(range(key)) else rows


def trie(
    rules: Iterable[tuple[int, CodedRule]], predicates: Sequence[CodedPredicate], sizes: Sizes
) -> PlanNode:
    """Return the trie of the steps of numbered rules."""
    root = PlanNode()
    for number, rule in rules:
        planner = _Planner(predicates, sizes)
        node = root
        for step in planner.steps(rule.body, frozenset(variables([rule.head]))):
            node = node.children.setdefault(step, PlanNode(step))
        node.ends.append((number, planner.values))
    return root


class _Planner:
    """A planner for one body, with the known variables after each step, and the next free slot."""

    def __init__(self, predicates: Sequence[CodedPredicate], sizes: Sizes) -> None:
        self.predicates, self.sizes = predicates, sizes
        self.values: dict[int, CodedTerm] = {}
        self.free = 0

    def steps(self, body: Sequence[CodedCondition], outside: AbstractSet[int]) -> list[Step]:
        """Return the steps of the conditions in evaluation order.

        Tests and reads with at most one fact come first, then conditions on several facts at once, then the
        read with the fewest expected facts.
        """
        of = [variables([each]) for each in body]
        occurs = Counter(variable for mine in of for variable in mine)
        occurs.update(outside)
        elsewhere = [frozenset(variable for variable in mine if occurs[variable] > 1) for mine in of]
        # Comparisons and counts have no local variables.
        asks = [
            mine if isinstance(each, Compare | CountOf) else shared | bindable_variables(each)
            for each, mine, shared in zip(body, of, elsewhere, strict=True)
        ]
        waiting = dict(enumerate(body))
        found: list[Step] = []
        while waiting:
            ranked = [
                (rank, place)
                for place, condition in waiting.items()
                if (rank := self._rank(condition, asks[place])) is not None
            ]
            assert ranked, "every condition of a rule can be read when the others were"
            _, place = min(ranked, key=lambda each: each[0])
            step = self._step(waiting.pop(place), elsewhere[place])
            if step is not None:
                found.append(step)
        return found

    def _rank(self, condition: CodedCondition, asks: AbstractSet[int]) -> tuple[float, ...] | None:
        """Return the sort key of a condition, the smallest for the next one.

        The result is None if its variables are not bound yet.
        """
        if isinstance(condition, Match):
            known = [n for n, term in enumerate(condition.terms) if self._knows(term)]
            rows = expected(condition.predicate, known, self.predicates, self.sizes)
            shape = [_code(self.values.get(t.index) if isinstance(t, Var) else t) for t in condition.terms]
            return (
                1 if rows <= 1 else 3,
                rows,
                condition.predicate,
                *(part for each in shape for part in each),
            )
        lacking = asks - self.values.keys()
        if len(lacking) > 1 or not lacking <= bindable_variables(condition):
            return None
        return (0,) if isinstance(condition, Compare) else (2,)

    def _knows(self, term: CodedTerm) -> bool:
        return not isinstance(term, Var) or term.index in self.values

    def _fill(self, variable: int) -> int:
        slot = self.free
        self.free += 1
        self.values[variable] = Var(slot)
        return slot

    def _term(self, term: CodedTerm) -> CodedTerm:
        return self.values[term.index] if isinstance(term, Var) else term

    def _expression(self, expression: CodedExpression) -> CodedExpression:
        if isinstance(expression, Apply):
            left, right = self._expression(expression.left), self._expression(expression.right)
            return Apply(expression.operator, left, right)
        assert not isinstance(expression, Call), "no function is compiled"
        return self._term(expression)

    def _step(self, condition: CodedCondition, shared: AbstractSet[int]) -> Step | None:
        match condition:
            case Match():
                known = tuple(n for n, term in enumerate(condition.terms) if self._knows(term))
                for term in condition.terms:
                    if isinstance(term, Var) and term.index not in self.values:
                        self._fill(term.index)
                return ReadStep(condition.predicate, tuple(map(self._term, condition.terms)), known)
            case Compare():
                return self._compare(condition)
            case AllOf():
                members = self._members(condition.set.count, condition.set.member, condition.set.key)
                saved = dict(self.values), self.free
                slots = tuple(self._fill(member.index) for member in condition.members)
                inside = frozenset(m.index for m in condition.members) | shared
                steps = tuple(self.steps(condition.conditions, inside))
                self.values, self.free = saved
                return Every(members, slots, steps)
            case AbsentOf():
                saved = dict(self.values), self.free
                steps = tuple(self.steps(condition.conditions, shared))
                self.values, self.free = saved
                return Never(steps)
            case CountOf():
                sets = tuple(self._members(s.count, s.member, s.key) for s in condition.sets)
                number = Number(sets, condition.width, tuple(map(self._term, condition.excluded)))
                return self._valued(condition.result, number)
            case AggregateOf():
                saved = dict(self.values), self.free
                own = frozenset(variable.index for variable in condition.variables)
                steps = tuple(self.steps(condition.conditions, shared | own))
                terms = tuple(self.values[v.index] for v in condition.variables)
                self.values, self.free = saved
                return self._valued(condition.result, Total(condition.function, terms, steps))
        raise AssertionError(condition)

    def _members(self, count: PredicateId, member: PredicateId, key: Sequence[CodedTerm]) -> SetMembers:
        return SetMembers(count, member, tuple(map(self._term, key)))

    def _valued(self, result: CodedExpression, value: Number | Total) -> Step:
        if isinstance(result, Var) and result.index not in self.values:
            return LetStep(self._fill(result.index), value)
        return IsStep(self._expression(result), value)

    def _compare(self, condition: Compare) -> Step | None:
        left, right, operator = condition.left, condition.right, condition.operator
        for one, other in ((left, right), (right, left)):
            if isinstance(one, Var) and one.index not in self.values:
                value = self._expression(other)
                if not isinstance(value, Apply | Call):
                    self.values[one.index] = value
                    return None
                return LetStep(self._fill(one.index), value)
        one, other = self._expression(left), self._expression(right)
        if isinstance(one, int) and not isinstance(other, int):
            one, other, operator = other, one, MIRRORED[operator]
        return TestStep(operator, one, other)


def _code(term: CodedTerm | None) -> tuple[int, int]:
    """Return a term in a form that can be ordered."""
    if term is None:
        return 2, 0
    return (1, term.index) if isinstance(term, Var) else (0, term)
