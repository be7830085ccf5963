"""Linear arithmetic over integers: comparisons as constraints, and refutations as sums of constraints.

A product of two variables, a floor division and a function call are opaque unknowns; equal expressions are
the same unknown. `min`, `max` and `abs` are eliminated by case analysis. A remainder is expressed by its
division. A refutation has, for each case, sums of constraints with positive factors. Each sum is divided by
the greatest common divisor of its coefficients and rounded to integers. The last sum states that a negative
number is at least 0.

This module contains no search. Python's integers do not overflow, so neither do the sums.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from itertools import product
from math import gcd
from typing import Final

from hornbook.compiler.checker.certificate import MAX_NUMBER, Witness
from hornbook.kb.ast.terms import (
    MAX_INTEGER,
    MIN_INTEGER,
    Comparison,
    Constant,
    Expression,
    Operation,
    Variable,
)

MAX_CASES: Final = 256
_CALCULATED: Final = frozenset(("+", "-", "*", "//", "mod", "min", "max", "abs"))
"""The interpreted operators. A call of any other operator is an unknown; equal calls are the same unknown."""


@dataclass(frozen=True, slots=True)
class Linear:
    """The value `sum(coefficient * unknown) + constant`. As a constraint, it is at least 0.

    No coefficient is 0.
    """

    coefficients: tuple[tuple[str, int], ...]
    constant: int

    @staticmethod
    def of(coefficients: Mapping[str, int], constant: int) -> Linear:
        return Linear(tuple(sorted((k, c) for k, c in coefficients.items() if c)), constant)

    def plus(self, other: Linear, factor: int = 1) -> Linear:
        total = dict(self.coefficients)
        for unknown, coefficient in other.coefficients:
            total[unknown] = total.get(unknown, 0) + factor * coefficient
        return Linear.of(total, self.constant + factor * other.constant)

    def times(self, factor: int) -> Linear:
        return Linear.of({u: c * factor for u, c in self.coefficients}, self.constant * factor)

    def tightened(self) -> Linear:
        """Return the strongest integer constraint with the same left side."""
        divisor = gcd(*(c for _, c in self.coefficients))
        if divisor <= 1:
            return self
        return Linear(tuple((u, c // divisor) for u, c in self.coefficients), self.constant // divisor)

    @property
    def is_huge(self) -> bool:
        return any(abs(number) > MAX_NUMBER for number in (self.constant, *(c for _, c in self.coefficients)))


ONE: Final = Linear((), 1)

Case = tuple[Linear, tuple[Linear, ...]]
"""One value of an expression, and the constraints under which the expression has it (one case of `min` or
`max`).
"""

Alternatives = tuple[tuple[Linear, ...], ...]
"""A disjunction of conjunctions of constraints."""


class TooManyCasesError(Exception):
    """The `min` and `max` of a comparison have more than MAX_CASES cases."""


def cases(expression: Expression) -> list[Case]:
    """Return the linear values of an expression, one for each case of its `min` and `max`.

    Raise TypeError if the expression is not a number, and TooManyCasesError if it has too many cases.
    """
    match expression:
        case Constant(value=int() as value):
            return [(Linear((), value), ())]
        case Variable():
            # The mark keeps a variable apart from an opaque unknown with the same name.
            name = f"?{expression.name}" if expression.name.startswith("(") else expression.name
            return [(Linear(((name, 1),), 0), ())]
        case Operation() if expression.operator not in _CALCULATED:
            return [(_named(_written(expression)), ())]
        case Operation(operator="abs"):
            (operand,) = expression.operands
            values = cases(operand)
            if 2 * len(values) > MAX_CASES:
                raise TooManyCasesError
            return [
                case
                for value, given in values
                for case in ((value, (*given, value)), (value.times(-1), (*given, value.times(-1))))
            ]
        case Operation():
            left, right = cases(expression.left), cases(expression.right)
            if 2 * len(left) * len(right) > MAX_CASES:
                raise TooManyCasesError
            return [
                case
                for (a, given_a), (b, given_b) in product(left, right)
                for case in _combine(expression, a, b, (*given_a, *given_b))
            ]
        case _:
            raise TypeError(f"{expression} is not a number")


def _combine(expression: Operation, a: Linear, b: Linear, given: tuple[Linear, ...]) -> Iterator[Case]:
    match expression.operator:
        case "+":
            yield a.plus(b), given
        case "-":
            yield a.plus(b, -1), given
        case "*" if not a.coefficients:
            yield b.times(a.constant), given
        case "*" if not b.coefficients:
            yield a.times(b.constant), given
        case "*":
            yield _opaque("*", *sorted((a, b), key=repr)), given
        case "//" if not a.coefficients and not b.coefficients and b.constant > 0:
            yield Linear((), a.constant // b.constant), given
        case "//" if not b.coefficients and b.constant > 0:
            quotient = _opaque("//", a, b)
            rest = a.plus(quotient, -b.constant)
            yield quotient, (*given, rest, rest.times(-1).plus(Linear((), b.constant - 1)))
        case "//":
            yield _opaque("//", a, b), given
        case "mod" if not a.coefficients and not b.coefficients and b.constant > 0:
            yield Linear((), a.constant % b.constant), given
        case "mod" if not b.coefficients and b.constant > 0:
            rest = a.plus(_opaque("//", a, b), -b.constant)
            yield rest, (*given, rest, rest.times(-1).plus(Linear((), b.constant - 1)))
        case "mod":
            yield _opaque("mod", a, b), given
        case "min":
            yield a, (*given, b.plus(a, -1))
            yield b, (*given, a.plus(b, -1))
        case "max":
            yield a, (*given, a.plus(b, -1))
            yield b, (*given, b.plus(a, -1))


def _written(expression: Expression) -> str:
    """Return a text of an expression. Different expressions have different texts."""
    match expression:
        case Operation():
            return f"{expression.operator}({', '.join(map(_written, expression.operands))})"
        case Variable():
            return f"?{expression.name!r}"
        case Constant(value=int() as value):  # also one that is written as a date or a decimal number
            return str(int(value))
        case _:
            return repr(expression.value)


def _opaque(operator: str, a: Linear, b: Linear) -> Linear:
    return _named(repr((operator, a.coefficients, a.constant, b.coefficients, b.constant)))


def _named(description: str) -> Linear:
    # The bracket keeps the name apart from the names of variables. The digest limits its length: nested names
    # would otherwise double it at each step.
    return Linear(((f"({sha256(description.encode()).hexdigest()}", 1),), 0)


@lru_cache(maxsize=4096)
def alternatives(comparison: Comparison) -> Alternatives:
    """Return a comparison as a disjunction of conjunctions of constraints.

    Raise the exceptions of `cases`.
    """
    found: list[tuple[Linear, ...]] = []
    for (a, given_a), (b, given_b) in product(cases(comparison.left), cases(comparison.right)):
        less, more = b.plus(a, -1), a.plus(b, -1)
        options: list[tuple[Linear, ...]]
        match comparison.operator:
            case "<=":
                options = [(less,)]
            case ">=":
                options = [(more,)]
            case "<":
                options = [(less.plus(ONE, -1),)]
            case ">":
                options = [(more.plus(ONE, -1),)]
            case "=":
                options = [(less, more)]
            case "!=":
                options = [(less.plus(ONE, -1),), (more.plus(ONE, -1),)]
        found += [(*given_a, *given_b, *option) for option in options]
    if len(found) > MAX_CASES:
        raise TooManyCasesError
    return tuple(found)


def negated(comparison: Comparison) -> Comparison:
    opposite = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
    return Comparison(opposite[comparison.operator], comparison.left, comparison.right)  # type: ignore[arg-type]


def bound(reference: str) -> Linear | None:
    """Return the constraint for `>x` or `<x`: the variable is at least MIN_INTEGER, or at most
    MAX_INTEGER.
    """
    mark, name = reference[:1], reference[1:]
    if not name or name.startswith("(") or mark not in (">", "<"):
        return None  # an opaque unknown may exceed 64 bits
    return Linear(((name, 1),), -MIN_INTEGER) if mark == ">" else Linear(((name, -1),), MAX_INTEGER)


def refuted(goal: Comparison | None, premises: Sequence[Comparison], sums: Witness) -> bool:
    """Return whether sums of constraints prove, case by case, that the premises entail a goal.

    Without a goal, they must prove that the premises are contradictory.
    """
    try:
        options: Alternatives = ((),) if goal is None else alternatives(negated(goal))
        choices = [options, *map(alternatives, premises)]
    except (TypeError, TooManyCasesError):
        return False
    count = 1
    for each in choices:
        count *= len(each)
    if count > MAX_CASES or not isinstance(sums, tuple) or len(sums) != count:
        return False
    return all(
        _is_refuted([c for part in chosen for c in part], case)
        for chosen, case in zip(product(*choices), sums, strict=True)
    )


def _is_refuted(constraints: list[Linear], sums: Witness) -> bool:
    """Return whether a list of sums, each over constraints and earlier sums, ends with a number below 0."""
    if not isinstance(sums, tuple) or not sums:
        return False
    for parts in sums:
        added = _added(constraints, parts)
        if added is None:
            return False
        constraints.append(added.tightened())
    return not constraints[-1].coefficients and constraints[-1].constant < 0


def _added(constraints: Sequence[Linear], parts: Witness) -> Linear | None:
    """Return the sum of constraints, each times a positive number; None if the witness is malformed."""
    total = Linear((), 0)
    for part in parts if isinstance(parts, tuple) else (None,):
        match part:
            case (int(number), int(factor)) if 0 <= number < len(constraints) and factor > 0:
                constraint: Linear | None = constraints[number]
            case (str(reference), int(factor)) if factor > 0:
                constraint = bound(reference)
            case _:
                return None
        if constraint is None:
            return None
        total = total.plus(constraint, factor)
        if total.is_huge:
            return None
    return total
