"""Entailment between linear comparisons of integers, for the certificate checker.

Premises and goal are comparisons over variables; a product of two variables, or a floor division, is one
opaque unknown wherever it is written alike; `min` and `max` are decided by cases. The goal is entailed when
the premises with its negation have no rational solution: equations are solved for an unknown that they have
once, the rest is Fourier and Motzkin's elimination, with every inequality divided by the greatest common
divisor of its coefficients and rounded to integers. "Entailed" is always right; a goal that needs more than
that, or more than the bounds below allow, is said to be not entailed. Python's integers do not overflow, so
neither do the sums made here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from itertools import product
from math import gcd
from typing import Final

from hornbook.kb.ast.terms import (
    MAX_INTEGER,
    MIN_INTEGER,
    Comparison,
    Constant,
    Expression,
    Operation,
    Variable,
    expression_variables,
)

MAX_PREMISES: Final = 24
"""The premises nearest to a goal (they share its variables, or those of nearer ones) that are asked."""
MAX_CASES: Final = 256
MAX_CONSTRAINTS: Final = 400
MAX_COEFFICIENT: Final = 2**512
MAX_WORK: Final = 200_000
"""Constraints that are looked at for one goal, in all its cases."""
FAR: Final = 2**31
"""Where no number is as large as this, the ends of 64 bits are not asked: it would rarely help, and costs much."""


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

    @property
    def is_huge(self) -> bool:
        return any(
            abs(number) > MAX_COEFFICIENT for number in (self.constant, *(c for _, c in self.coefficients))
        )


ONE: Final = Linear((), 1)

Case = tuple[Linear, tuple[Linear, ...]]
"""The value of an expression, and the constraints under which it is that (one case of a `min` or `max`)."""

Alternatives = tuple[tuple[Linear, ...], ...]
"""A disjunction of conjunctions of constraints."""


class TooManyCasesError(Exception):
    """The `min` and `max` of a comparison have more than MAX_CASES cases."""


def cases(expression: Expression) -> list[Case]:
    """The linear values of an expression, one for each case of its `min` and `max`.

    Raises TypeError where the expression is no number, TooManyCasesError where it has too many cases.
    """
    match expression:
        case Constant(value=int() as value):
            return [(Linear((), value), ())]
        case Variable():
            # A variable that is called like an opaque unknown is another one.
            name = f"?{expression.name}" if expression.name.startswith("(") else expression.name
            return [(Linear(((name, 1),), 0), ())]
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
    # The bracket keeps the name apart from every variable's. Its length does not grow with what the name stands for, as
    # names within names would double it at each step.
    said = repr((operator, a.coefficients, a.constant, b.coefficients, b.constant))
    return Linear(((f"({sha256(said.encode()).hexdigest()}", 1),), 0)


@lru_cache(maxsize=4096)
def alternatives(comparison: Comparison) -> Alternatives:
    """The comparison as a disjunction of conjunctions of constraints; raises as `cases` does."""
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


class _Work:
    """How many more constraints may be looked at."""

    def __init__(self) -> None:
        self.left = MAX_WORK

    def allows(self, constraints: int) -> bool:
        self.left -= constraints
        return self.left >= 0


def infeasible(constraints: Iterable[Linear], work: _Work | None = None) -> bool:
    """Whether no integers satisfy all constraints; False also where that is not found out."""
    work = work or _Work()
    left = {c.tightened() for c in constraints}
    while work.allows(len(left)):
        if any(not c.coefficients and c.constant < 0 for c in left):
            return True
        left = {c for c in left if c.coefficients}
        if not left or len(left) > MAX_CONSTRAINTS or any(c.is_huge for c in left):
            return False
        solved = _solvable(left)
        left = _eliminate(left) if solved is None else _substitute(left, *solved)
    return False


def _solvable(constraints: set[Linear]) -> tuple[Linear, str, int] | None:
    """An equation (a constraint that stands with its opposite) with an unknown of coefficient 1 or -1."""
    equations = [
        c for c in constraints if any(abs(k) == 1 for _, k in c.coefficients) and c.times(-1) in constraints
    ]
    if not equations:
        return None
    equation = min(equations, key=lambda c: (len(c.coefficients), c.coefficients, c.constant))
    unknown, sign = next((u, k) for u, k in equation.coefficients if abs(k) == 1)
    return equation, unknown, sign


def _substitute(constraints: set[Linear], equation: Linear, unknown: str, sign: int) -> set[Linear]:
    """The constraints with what an equation says of an unknown in its place."""
    found = set()
    for constraint in constraints:
        coefficient = dict(constraint.coefficients).get(unknown, 0)
        found.add(constraint.plus(equation, -coefficient * sign).tightened() if coefficient else constraint)
    return found


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
    if len(lower) * len(upper) > 4 * MAX_CONSTRAINTS:
        # Fewer constraints entail less, never something else.
        return others
    for a, low in lower:
        for b, high in upper:
            others.add(low.times(b).plus(high, a).tightened())
    return others


class Arithmetic:
    """What a set of comparisons between integers entails. Every variable is a 64-bit integer."""

    def __init__(self, premises: Iterable[Comparison] = ()) -> None:
        self._mentions: dict[str, dict[Comparison, None]] = {}
        self._premises: dict[Comparison, tuple[str, ...]] = {}
        for premise in premises:
            self.add(premise)

    def copy(self) -> Arithmetic:
        twin = Arithmetic()
        twin._premises = dict(self._premises)
        twin._mentions = {name: dict(premises) for name, premises in self._mentions.items()}
        return twin

    def __contains__(self, comparison: Comparison) -> bool:
        """Whether a comparison stands among the premises."""
        return comparison in self._premises

    def add(self, premise: Comparison) -> None:
        sides = (premise.left, premise.right)
        names = tuple(dict.fromkeys(v.name for side in sides for v in expression_variables(side)))
        self._premises[premise] = names
        for name in names:
            self._mentions.setdefault(name, {})[premise] = None

    def discard(self, premise: Comparison) -> None:
        for name in self._premises.pop(premise, ()):
            self._mentions[name].pop(premise, None)

    def mentioning(self, name: str) -> list[Comparison]:
        """The premises in which a variable stands."""
        return list(self._mentions.get(name, ()))

    def entails(self, goal: Comparison) -> bool:
        """Whether the goal holds for all integers that satisfy the premises."""
        try:
            options = alternatives(negated(goal))
        except TooManyCasesError:
            return False
        if any(self._is_free(option) for option in options):
            return False
        names = [v.name for side in (goal.left, goal.right) for v in expression_variables(side)]
        return self._refutes(options, self._nearest(names))

    def _is_free(self, option: tuple[Linear, ...]) -> bool:
        """Whether an unknown that no premise speaks of can make one inequality, or one equation, true."""
        first = option[0]
        equation = len(option) == 2 and first == option[1].times(-1)
        if abs(first.constant) > FAR or not (equation or len(option) == 1):
            return False
        return any(
            not unknown.startswith("(")
            and not self._mentions.get(unknown)
            and (abs(factor) == 1 or not equation)
            for unknown, factor in first.coefficients
        )

    def contradictory(self) -> bool:
        """Whether no integers satisfy the premises."""
        waiting = dict(self._premises)
        while waiting:
            premise, names = next(iter(waiting.items()))
            near = [premise, *(p for p in self._nearest(names) if p != premise)]
            if self._refutes(((),), near):
                return True
            for seen in near:
                waiting.pop(seen, None)
        return False

    def fits(self, expression: Expression) -> bool:
        """Whether the value of an expression is within 64 bits for all integers that satisfy the premises."""
        low = Comparison(">=", expression, Constant(MIN_INTEGER))
        return self.entails(low) and self.entails(Comparison("<=", expression, Constant(MAX_INTEGER)))

    def _nearest(self, names: Iterable[str]) -> list[Comparison]:
        """The premises that share variables with a goal, directly or through nearer ones, the nearest first."""
        chosen: dict[Comparison, None] = {}
        seen = dict.fromkeys(names)
        front = list(seen)
        while front and len(chosen) < MAX_PREMISES:
            new = dict.fromkeys(p for name in front for p in self._mentions.get(name, ()) if p not in chosen)
            chosen.update(new)
            front = list(dict.fromkeys(name for p in new for name in self._premises[p] if name not in seen))
            seen.update(dict.fromkeys(front))
        return list(chosen)[:MAX_PREMISES]

    def _refutes(self, options: Alternatives, premises: Iterable[Comparison]) -> bool:
        """Whether no option can hold together with the premises."""
        single: list[Linear] = []
        several: list[Alternatives] = []
        count = len(options)
        for premise in premises:
            try:
                choices = alternatives(premise)
            except TooManyCasesError:
                continue
            if len(choices) == 1:
                single += choices[0]
            elif count * len(choices) <= MAX_CASES:
                several.append(choices)
                count *= len(choices)
        work = _Work()
        return all(
            infeasible(_bounded([*option, *single, *(c for part in chosen for c in part)]), work)
            for option in options
            for chosen in product(*several)
        )


def _bounded(constraints: list[Linear]) -> list[Linear]:
    """The constraints, and that every variable is a 64-bit integer; opaque unknowns may be larger."""
    if not any(abs(c.constant) > FAR for c in constraints):
        return constraints
    unknowns = {u for c in constraints for u, _ in c.coefficients if not u.startswith("(")}
    least = (Linear(((unknown, 1),), -MIN_INTEGER) for unknown in sorted(unknowns))
    greatest = (Linear(((unknown, -1),), MAX_INTEGER) for unknown in sorted(unknowns))
    return [*constraints, *least, *greatest]


def swapped(comparison: Comparison) -> Comparison:
    """The comparison read from right to left."""
    operator = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}.get(comparison.operator, comparison.operator)
    return Comparison(operator, comparison.right, comparison.left)  # type: ignore[arg-type]
