"""The operation of a calculation that has no value within 64 bits, with its operands.

An engine reports the rule and the values of its variables. The conditions are calculated again with these
values, until the operation is found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

from hornbook.kb.ast import terms as t
from hornbook.kb.ast.evaluation import evaluated
from hornbook.kb.format.printer import print_condition, print_expression, print_term
from hornbook.kb.lower.word_functions import OF_WORDS, TooLongWordError, value_of
from hornbook.matcher.program.dataclass import dataclass

Value = str | int


@dataclass(frozen=True, slots=True)
class Overflow:
    """An operation, the values of its operands, and its exact result; None for a division by zero or an
    invalid shift.
    """

    operation: t.Operation
    operands: tuple[Value, ...]
    result: int | None

    @property
    def reason(self) -> str:
        if self.result is None and self.operation.operator in ("//", "mod"):
            return "divides by zero"
        return "leaves 64 bits" if self.result is not None else "shifts by less than 0 or more than 63 bits"

    def __str__(self) -> str:
        result = "has no value" if self.result is None else f"is {self.result}"
        pairs = zip(self.operation.operands, self.operands, strict=True)
        named = [
            f"`{print_expression(operand)}` is {print_term(t.Constant(value))}"
            for operand, value in dict(pairs).items()
            if not isinstance(operand, t.Constant)
        ]
        where = f", where {' and '.join(named)}" if named else ""
        return f"`{print_expression(self.operation)}` {result}{where}"


class _OverflowError(Exception):
    def __init__(self, found: Overflow) -> None:
        super().__init__()
        self.found = found


def overflow_in(conditions: Iterable[t.Condition], values: Mapping[str, t.Constant]) -> Overflow | None:
    """Return the operation that overflows in conditions under these values, or None if it needs other values
    too.
    """
    known: dict[str, Value] = {name: constant.value for name, constant in values.items()}
    conditions = tuple(conditions)
    try:
        _calculate([c for c in conditions if isinstance(c, t.Comparison)], known)
        for condition in conditions:
            if isinstance(condition, t.CountIn | t.Aggregate):
                _value(condition.result, known)
    except _OverflowError as problem:
        return problem.found
    for nested in _nested(conditions):
        local = {variable.name for variable in t.listed_variables(nested)}
        outer = {name: t.Constant(value) for name, value in known.items() if name not in local}
        if found := overflow_in(nested.conditions, outer):
            return found
    return None


def calculations_inside(conditions: Iterable[t.Condition]) -> list[str]:
    """Return the text of each nested condition with a calculation."""
    return [
        print_condition(nested)
        for nested in _nested(conditions)
        if (isinstance(nested, t.Aggregate) and nested.function == "sum")
        or any(map(_calculates, nested.conditions))
    ]


def _nested(conditions: Iterable[t.Condition]) -> Iterator[t.All | t.Aggregate | t.Absent]:
    return (c for c in conditions if isinstance(c, t.All | t.Aggregate | t.Absent))


def _calculates(node: t.Node) -> bool:
    return isinstance(node, t.Operation) or any(map(_calculates, t.parts(node)))


def _calculate(comparisons: Sequence[t.Comparison], known: dict[str, Value]) -> None:
    """Calculate both sides of all comparisons. An unbound variable gets the value that it is equal to."""
    size = -1
    while size != len(known):
        size = len(known)
        for comparison in comparisons:
            for one, other in ((comparison.left, comparison.right), (comparison.right, comparison.left)):
                value = _value(other, known)
                if comparison.operator == "=" and isinstance(one, t.Variable) and value is not None:
                    known.setdefault(one.name, value)


def _value(expression: t.Expression, known: Mapping[str, Value]) -> Value | None:
    """Return the value of an expression, or None if a variable has none. Raises _OverflowError."""
    match expression:
        case t.Constant():
            return expression.value
        case t.Variable():
            return known.get(expression.name)
    operands = tuple(_value(operand, known) for operand in expression.operands)
    values = tuple(operand for operand in operands if operand is not None)
    if len(values) < len(operands):
        return None
    if expression.operator in OF_WORDS:
        with suppress(TooLongWordError):
            return value_of(expression.operator, values)
        return None
    result = evaluated(expression.operator, values)
    if result is None or not t.MIN_INTEGER <= result <= t.MAX_INTEGER:
        raise _OverflowError(Overflow(expression, values, result))
    return result
