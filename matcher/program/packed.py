"""Packed rules: coded rules as bytes, which an engine reads without an object for each condition.

A rule consists of whole numbers: its head, its number of variables, whether it is read as written, and its
conditions. A sequence begins with its length. A number from 0 on is stored in groups of seven bits, the
lowest first, and every group but the last has the eighth bit. A cell is stored as twice its value or, if it
is negative, as twice its complement and one. The core reads the same form
(`matcher/core/python/read_packed.cpp`).

Invariants: The unpacked rules equal the packed ones. A rule that calls a function cannot be packed. An engine
has accepted each packed rule before, so another engine may plan it on demand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar, get_args

from hornbook.matcher.program.coded import (
    AbsentOf,
    AggregateOf,
    AllOf,
    Apply,
    Call,
    ClosedSet,
    CodedCondition,
    CodedExpression,
    CodedRule,
    CodedTerm,
    Compare,
    CountOf,
    Match,
    RuleId,
    Var,
)
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.errors import MalformedError
from hornbook.matcher.program.operators import OPERATIONS, ComparisonOperator
from hornbook.matcher.program.wellformed import AGGREGATES

Part = TypeVar("Part")
_CELL, _APPLY, _VARIABLE = range(3)
"""The first number of an expression. A variable is stored as its index and the last of these numbers."""
_MATCH, _COMPARE, _ALL, _COUNT, _AGGREGATE, _ABSENT = range(6)
"""The first number of a condition."""
_COMPARISONS: tuple[ComparisonOperator, ...] = get_args(ComparisonOperator)
_OPERATIONS = tuple(OPERATIONS)


@dataclass(frozen=True, slots=True)
class PackedRules:
    """Coded rules in packed form, and their names in the same order."""

    ids: tuple[RuleId, ...]
    data: bytes

    def rules(self) -> tuple[CodedRule, ...]:
        """Return the rules as objects. Raises MalformedError if the bytes are no rules."""
        unpacker = _Unpacker(self.data)
        try:
            return tuple([unpacker.rule(each) for each in self.ids])
        except (IndexError, RecursionError):
            raise MalformedError("these bytes are no packed rules") from None


def packed(rules: Sequence[CodedRule]) -> PackedRules:
    """Return rules in packed form. Raises ValueError if a rule calls a function."""
    packer = _Packer()
    for rule in rules:
        packer.rule(rule)
    return PackedRules(tuple([rule.id for rule in rules]), bytes(packer.data))


class _Packer:
    """The bytes of the rules packed so far."""

    def __init__(self) -> None:
        self.data = bytearray()

    def rule(self, rule: CodedRule) -> None:
        self._match(rule.head)
        self._number(rule.variables)
        self._number(int(rule.as_written))
        self._conditions(rule.body)

    def _number(self, number: int) -> None:
        while number > 127:
            self.data.append(number & 127 | 128)
            number >>= 7
        self.data.append(number)

    def _conditions(self, conditions: Sequence[CodedCondition]) -> None:
        self._number(len(conditions))
        for condition in conditions:
            self._condition(condition)

    def _condition(self, condition: CodedCondition) -> None:
        match condition:
            case Match():
                self._number(_MATCH)
                self._match(condition)
            case Compare():
                self._number(_COMPARE)
                self._number(_COMPARISONS.index(condition.operator))
                self._expression(condition.left)
                self._expression(condition.right)
            case AllOf():
                self._number(_ALL)
                self._set(condition.set)
                self._terms(condition.members)
                self._conditions(condition.conditions)
            case CountOf():
                self._number(_COUNT)
                self._expression(condition.result)
                self._number(len(condition.sets))
                for each in condition.sets:
                    self._set(each)
                self._number(condition.width)
                self._terms(condition.excluded)
            case AggregateOf():
                self._number(_AGGREGATE)
                self._expression(condition.result)
                self._number(AGGREGATES.index(condition.function))
                self._terms(condition.variables)
                self._conditions(condition.conditions)
            case AbsentOf():
                self._number(_ABSENT)
                self._conditions(condition.conditions)

    def _match(self, match: Match) -> None:
        self._number(match.predicate)
        self._terms(match.terms)

    def _set(self, closed: ClosedSet) -> None:
        self._number(closed.count)
        self._number(closed.member)
        self._terms(closed.key)

    def _terms(self, terms: Sequence[CodedTerm]) -> None:
        self._number(len(terms))
        for term in terms:
            self._expression(term)

    def _expression(self, expression: CodedExpression) -> None:
        match expression:
            case Var():
                self._number(expression.index + _VARIABLE)
            case Apply():
                self._number(_APPLY)
                self._number(_OPERATIONS.index(expression.operator))
                self._expression(expression.left)
                self._expression(expression.right)
            case Call():
                raise ValueError(f"the function {expression.function.name!r} cannot be packed")
            case _:
                self._number(_CELL)
                self._number(2 * expression if expression >= 0 else 2 * ~expression + 1)


class _Unpacker:
    """The reader of packed rules, one after another."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._place = 0

    def rule(self, rule_id: RuleId) -> CodedRule:
        head, variables, as_written = self._match(), self._number(), self._number()
        return CodedRule(rule_id, head, self._conditions(), variables, bool(as_written))

    def _number(self) -> int:
        number = shift = 0
        while True:
            group = self._data[self._place]
            self._place += 1
            number |= (group & 127) << shift
            if group < 128:
                return number
            shift += 7

    def _sequence(self, read: Callable[[], Part]) -> tuple[Part, ...]:
        return tuple([read() for _ in range(self._number())])

    def _conditions(self) -> tuple[CodedCondition, ...]:
        return self._sequence(self._condition)

    def _condition(self) -> CodedCondition:
        kind = self._number()
        if kind == _MATCH:
            return self._match()
        if kind == _COMPARE:
            return Compare(_COMPARISONS[self._number()], self._expression(), self._expression())
        if kind == _ALL:
            return AllOf(self._set(), self._sequence(self._variable), self._conditions())
        if kind == _COUNT:
            result, sets = self._expression(), self._sequence(self._set)
            return CountOf(result, sets, self._number(), self._sequence(self._term))
        if kind == _AGGREGATE:
            result, function = self._expression(), AGGREGATES[self._number()]
            return AggregateOf(result, function, self._sequence(self._variable), self._conditions())
        return AbsentOf(self._conditions())

    def _match(self) -> Match:
        return Match(self._number(), self._sequence(self._term))

    def _set(self) -> ClosedSet:
        return ClosedSet(self._number(), self._number(), self._sequence(self._term))

    def _variable(self) -> Var:
        return Var(self._number() - _VARIABLE)

    def _term(self) -> CodedTerm:
        kind = self._number()
        return self._cell() if kind == _CELL else Var(kind - _VARIABLE)

    def _cell(self) -> int:
        number = self._number()
        return ~(number >> 1) if number & 1 else number >> 1

    def _expression(self) -> CodedExpression:
        kind = self._number()
        if kind == _CELL:
            return self._cell()
        if kind == _APPLY:
            return Apply(_OPERATIONS[self._number()], self._expression(), self._expression())
        return Var(kind - _VARIABLE)
