"""Entailment between linear comparisons of integers, for the certificate checker.

Premises and goal are comparisons over variables; a product of two variables, or a floor division, is one
opaque unknown wherever it is written alike; `min` and `max` are decided by cases. The goal is entailed when
the premises with its negation have no rational solution (Fourier and Motzkin's elimination, with every
inequality divided by the greatest common divisor of its coefficients and rounded to integers). "Entailed" is
always right; a goal that needs more than that is said to be not entailed. Python's integers do not overflow,
so neither do the sums made here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import gcd
from typing import Final

from kb.terms import Comparison, Constant, Expression, Operation, Variable

MIN_INTEGER: Final = -(2**63)
MAX_INTEGER: Final = 2**63 - 1
MAX_CONSTRAINTS: Final = 400
"""Where elimination makes more inequalities than this, the goal counts as not entailed."""
MAX_CASES: Final = 256


@dataclass(frozen=True, slots=True)
class Linear:
    """`sum(coefficient * unknown) + constant`; as a constraint: it is at least 0. No coefficient is 0."""

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
        """The strongest constraint over integers with the same left side."""
        divisor = gcd(*(c for _, c in self.coefficients))
        if divisor <= 1:
            return self
        return Linear(tuple((u, c // divisor) for u, c in self.coefficients), self.constant // divisor)


Case = tuple[Linear, tuple[Linear, ...]]
"""The value of an expression, and the constraints under which it is that (one case of a `min` or `max`)."""


def cases(expression: Expression) -> list[Case]:
    """The linear values of an expression, one for each case of its `min` and `max`."""
    match expression:
        case Constant(value=int() as value):
            return [(Linear((), value), ())]
        case Variable():
            return [(Linear(((expression.name, 1),), 0), ())]
        case Operation():
            pairs = product(cases(expression.left), cases(expression.right))
            return [
                case
                for (a, given_a), (b, given_b) in pairs
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
        case "//" if not b.coefficients and b.constant > 0:
            quotient = _opaque("//", a, b)
            rest = a.plus(quotient, -b.constant)
            yield quotient, (*given, rest, rest.times(-1).plus(Linear((), b.constant - 1)))
        case "//":
            yield _opaque("//", a, b), given
        case "min":
            yield a, (*given, b.plus(a, -1))
            yield b, (*given, a.plus(b, -1))
        case "max":
            yield a, (*given, a.plus(b, -1))
            yield b, (*given, b.plus(a, -1))


def _opaque(operator: str, a: Linear, b: Linear) -> Linear:
    # The mark keeps the name apart from every variable's.
    return Linear(((f"({a.coefficients}{a.constant} {operator} {b.coefficients}{b.constant})", 1),), 0)


def alternatives(comparison: Comparison) -> list[tuple[Linear, ...]]:
    """The comparison as a disjunction of conjunctions of constraints."""
    found: list[tuple[Linear, ...]] = []
    for (a, given_a), (b, given_b) in product(cases(comparison.left), cases(comparison.right)):
        less, more = b.plus(a, -1), a.plus(b, -1)
        one = Linear((), 1)
        options: list[tuple[Linear, ...]]
        match comparison.operator:
            case "<=":
                options = [(less,)]
            case ">=":
                options = [(more,)]
            case "<":
                options = [(less.plus(one, -1),)]
            case ">":
                options = [(more.plus(one, -1),)]
            case "=":
                options = [(less, more)]
            case "!=":
                options = [(less.plus(one, -1),), (more.plus(one, -1),)]
        found += [(*given_a, *given_b, *option) for option in options]
    return found


def negated(comparison: Comparison) -> Comparison:
    opposite = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
    return Comparison(opposite[comparison.operator], comparison.left, comparison.right)  # type: ignore[arg-type]


def infeasible(constraints: Iterable[Linear]) -> bool:
    """Whether no integers satisfy all constraints; False also where that is not found out."""
    left = {c.tightened() for c in constraints}
    while True:
        if any(not c.coefficients and c.constant < 0 for c in left):
            return True
        left = {c for c in left if c.coefficients}
        if not left or len(left) > MAX_CONSTRAINTS:
            return False
        left = _eliminate(left)


def _eliminate(constraints: set[Linear]) -> set[Linear]:
    """The constraints without the unknown whose elimination makes the fewest new ones."""
    signs: dict[str, list[int]] = {}
    for constraint in constraints:
        for unknown, coefficient in constraint.coefficients:
            signs.setdefault(unknown, [0, 0])[coefficient > 0] += 1
    unknown = min(signs, key=lambda u: (signs[u][0] * signs[u][1] - sum(signs[u]), u))
    lower, upper, others = [], [], set()
    for constraint in constraints:
        coefficient = dict(constraint.coefficients).get(unknown, 0)
        if coefficient > 0:
            lower.append((coefficient, constraint))
        elif coefficient < 0:
            upper.append((-coefficient, constraint))
        else:
            others.add(constraint)
    for a, low in lower:
        for b, high in upper:
            others.add(low.times(b).plus(high, a).tightened())
    return others


class Arithmetic:
    """What a set of comparisons between integers entails. Every variable is a 64-bit integer."""

    def __init__(self, premises: Sequence[Comparison]) -> None:
        self.premises = [alternatives(premise) for premise in premises]

    def entails(self, goal: Comparison) -> bool:
        """Whether the goal holds for all integers that satisfy the premises."""
        return self._refutes(alternatives(negated(goal)))

    def contradictory(self) -> bool:
        """Whether no integers satisfy the premises."""
        return self._refutes([()])

    def fits(self, expression: Expression) -> bool:
        """Whether the value of an expression is within 64 bits for all integers that satisfy the premises."""
        low = Comparison(">=", expression, Constant(MIN_INTEGER))
        return self.entails(low) and self.entails(Comparison("<=", expression, Constant(MAX_INTEGER)))

    def _refutes(self, options: list[tuple[Linear, ...]]) -> bool:
        relevant = self._relevant({u for option in options for c in option for u, _ in c.coefficients})
        combined = 1
        for alternative in relevant:
            combined *= len(alternative)
        if combined * len(options) > MAX_CASES:
            relevant = [alternative for alternative in relevant if len(alternative) == 1]
        for option in options:
            for chosen in product(*relevant):
                constraints = [*option, *(c for part in chosen for c in part)]
                if not infeasible([*constraints, *_bounds(constraints)]):
                    return False
        return True

    def _relevant(self, unknowns: set[str]) -> list[list[tuple[Linear, ...]]]:
        """The premises that share unknowns with a goal, directly or through each other; all without a goal."""
        if not unknowns:
            return self.premises
        chosen: list[list[tuple[Linear, ...]]] = []
        rest = list(self.premises)
        grown = True
        while grown:
            grown = False
            for premise in list(rest):
                theirs = {u for option in premise for c in option for u, _ in c.coefficients}
                if not theirs or theirs & unknowns:
                    chosen.append(premise)
                    rest.remove(premise)
                    unknowns = unknowns | theirs
                    grown = True
        return chosen


def _bounds(constraints: Iterable[Linear]) -> Iterator[Linear]:
    """That every variable is a 64-bit integer; opaque unknowns may be larger."""
    unknowns = {u for c in constraints for u, _ in c.coefficients if not u.startswith("(")}
    for unknown in sorted(unknowns):
        yield Linear(((unknown, 1),), -MIN_INTEGER)
        yield Linear(((unknown, -1),), MAX_INTEGER)
