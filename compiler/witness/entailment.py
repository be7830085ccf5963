"""Entailment between linear comparisons of integers, with sums of constraints as witnesses.

Premises and goal are comparisons over variables. A product of two variables and a floor division are opaque
unknowns; equal expressions are the same unknown. `min` and `max` are eliminated by case analysis. The goal is
entailed if the premises and its negation have no rational solution.

The search first looks for bounds of unknowns, and of differences of unknowns, that add up to a contradiction.
Then it solves equations for an unknown with coefficient 1 or -1. The remaining inequalities are solved by
Fourier-Motzkin elimination. Every inequality is divided by the greatest common divisor of its coefficients
and rounded to integers.

The answer "entailed" is always right. The answer "not entailed" may be wrong if the goal needs other methods
or exceeds the limits below. Python's integers do not overflow, so neither do the sums.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Final, Literal

from hornbook.compiler.checker.certificate import Witness
from hornbook.compiler.checker.linear import (
    MAX_CASES,
    Alternatives,
    Linear,
    TooManyCasesError,
    alternatives,
    bound,
    cases,
    negated,
)
from hornbook.compiler.witness.premises import Premises
from hornbook.kb.ast.terms import (
    MAX_INTEGER,
    MIN_INTEGER,
    Comparison,
    Constant,
    Expression,
    expression_variables,
)
from hornbook.kb.lower.budget import Budget

__all__ = ["Arithmetic", "Refutation", "TooManyCasesError", "cases", "infeasible"]

MAX_PREMISES: Final = 24
"""The maximum number of premises used, nearest first.

The nearest share variables with the goal or with nearer ones.
"""
MANY: Final = 12
"""With more premises than these, a second attempt uses fewer of them."""
MAX_CONSTRAINTS: Final = 400
MAX_WORK: Final = 200_000
"""The maximum number of constraints inspected for one goal, in all its cases."""
FAR: Final = 2**31
"""If all numbers are smaller, the bounds of 64-bit integers are not used: they rarely help and are
expensive.
"""


class _WorkLimit:
    """The number of constraints that may still be inspected for one goal, within the search budget."""

    def __init__(self, budget: Budget) -> None:
        self.left = MAX_WORK
        self.budget = budget

    def allows(self, constraints: Iterable[Linear]) -> bool:
        sizes = [1 + len(constraint.coefficients) for constraint in constraints]
        self.budget.spend(sum(sizes))
        self.left -= len(sizes)
        return self.left >= 0


class _Derived:
    """Constraints, each with its derivation as a rounded sum of numbered or derived constraints."""

    def __init__(self, numbered: Iterable[tuple[int | str, Linear]], budget: Budget) -> None:
        self.budget = budget
        self.numbers: dict[Linear, int | str] = {}
        self.sums: dict[Linear, tuple[tuple[Linear, int], ...]] = {}
        for number, constraint in numbered:
            self.numbers.setdefault(constraint, number)
            if (rounded := constraint.tightened()) != constraint:
                self.sums.setdefault(rounded, ((constraint, 1),))

    def add(self, *parts: tuple[Linear, int]) -> Linear:
        """Return the rounded sum of constraints, each times a positive number."""
        total = Linear((), 0)
        for constraint, factor in parts:
            self.budget.spend(1 + len(constraint.coefficients))
            total = total.plus(constraint, factor)
        total = total.tightened()
        if total not in self.numbers:
            self.sums.setdefault(total, parts)
        return total

    def written(self, goal: Linear, first: int) -> Witness:
        """Return the sums that derive a constraint, in order; the first sum has the number `first`."""
        if goal in self.numbers:
            return (((self.numbers[goal], 1),),)
        order: dict[Linear, int] = {}
        todo = [goal]
        while todo:
            constraint = todo[-1]
            waiting = [c for c, _ in self.sums[constraint] if c not in self.numbers and c not in order]
            if waiting:
                todo += waiting
                continue
            todo.pop()
            order.setdefault(constraint, first + len(order))
        number = {**order, **self.numbers}
        return tuple(tuple((number[c], factor) for c, factor in self.sums[each]) for each in order)


def infeasible(constraints: Sequence[Linear], work: _WorkLimit | None = None) -> Witness | Literal[False]:
    """Return sums of numbered constraints that show that no integers satisfy all of them.

    Return False if none are found.
    """
    work = work or _WorkLimit(Budget())
    numbered: list[tuple[int | str, Linear]] = [*enumerate(constraints), *_bounds(constraints)]
    left = dict.fromkeys(c.tightened() for _, c in numbered)
    differences = [(c, ends) for c in left if (ends := _difference(c)) is not None]
    cycle = _negative_cycle(differences, work) if len(differences) > 1 else []
    if not cycle and len(differences) == len(left):
        return False
    derived = _Derived(numbered, work.budget)
    if cycle:
        return derived.written(derived.add(*((c, 1) for c in cycle)), len(constraints))
    while work.allows(left):
        false = next((c for c in left if not c.coefficients and c.constant < 0), None)
        if false is not None:
            return derived.written(false, len(constraints))
        left = dict.fromkeys(c for c in left if c.coefficients)
        if not left or len(left) > MAX_CONSTRAINTS or any(c.is_huge for c in left):
            return False
        solved = _solvable(left)
        left = _eliminate(left, derived) if solved is None else _substitute(left, derived, *solved)
    return False


def _difference(constraint: Linear) -> tuple[str, str] | None:
    """Return the two unknowns whose difference a constraint bounds, or None.

    The constraint bounds how much the second exceeds the first. The empty name denotes 0.
    """
    match constraint.coefficients:
        case ((one, 1),):
            return one, ""
        case ((one, -1),):
            return "", one
        case ((one, 1), (other, -1)) | ((other, -1), (one, 1)):
            return one, other
    return None


def _negative_cycle(differences: Sequence[tuple[Linear, tuple[str, str]]], work: _WorkLimit) -> list[Linear]:
    """Return difference constraints that add up to a contradiction, or an empty list.

    The list is empty if integers satisfy all constraints, or if the search exceeds its limit.

    Source: Bellman 1958; Ford 1956.
    """
    best: dict[tuple[str, str], Linear] = {}
    for constraint, ends in differences:
        if ends not in best or constraint.constant < best[ends].constant:
            best[ends] = constraint
    edges = [(one, other, c.constant) for (one, other), c in best.items()]
    most = {name: 0 for ends in best for name in ends}
    by: dict[str, str] = {}
    last = ""
    for _ in most:
        if not work.allows(best.values()):
            return []
        changed = False
        for one, other, by_most in edges:
            bound_now = most[one] + by_most
            if bound_now < most[other]:
                most[other], by[other], last, changed = bound_now, one, other, True
        if not changed:
            return []
    for _ in most:
        last = by[last]
    found: list[Linear] = []
    at = last
    while not found or at != last:
        found.append(best[by[at], at])
        at = by[at]
    return found


def _solvable(constraints: Mapping[Linear, None]) -> tuple[Linear, str, int] | None:
    """Return an equation (a constraint and its opposite) and an unknown in it with coefficient 1 or -1; or
    None.
    """
    equations = [
        c for c in constraints if any(abs(k) == 1 for _, k in c.coefficients) and c.times(-1) in constraints
    ]
    if not equations:
        return None
    equation = min(equations, key=lambda c: (len(c.coefficients), c.coefficients, c.constant))
    unknown, sign = next((u, k) for u, k in equation.coefficients if abs(k) == 1)
    return equation, unknown, sign


def _substitute(
    constraints: Mapping[Linear, None], derived: _Derived, equation: Linear, unknown: str, sign: int
) -> dict[Linear, None]:
    """Return the constraints after substitution of an unknown by its value from an equation."""
    opposite = equation.times(-1)
    found: dict[Linear, None] = {}
    for constraint in constraints:
        factor = -dict(constraint.coefficients).get(unknown, 0) * sign
        if factor:
            other = equation if factor > 0 else opposite
            found[derived.add((constraint, 1), (other, abs(factor)))] = None
        else:
            found[constraint] = None
    return found


def _eliminate(constraints: Mapping[Linear, None], derived: _Derived) -> dict[Linear, None]:
    """Return the constraints after elimination of the unknown that creates the fewest new ones."""
    signs: dict[str, list[int]] = {}
    for constraint in constraints:
        for unknown, coefficient in constraint.coefficients:
            signs.setdefault(unknown, [0, 0])[coefficient > 0] += 1
    unknown = min(signs, key=lambda u: (signs[u][0] * signs[u][1] - sum(signs[u]), u))
    lower, upper = [], []
    others: dict[Linear, None] = {}
    for constraint in constraints:
        coefficient = dict(constraint.coefficients).get(unknown, 0)
        if coefficient > 0:
            lower.append((coefficient, constraint))
        elif coefficient < 0:
            upper.append((-coefficient, constraint))
        else:
            others[constraint] = None
    if len(lower) * len(upper) > 4 * MAX_CONSTRAINTS:
        # Fewer constraints never entail more, so the result stays sound.
        return others
    for a, low in lower:
        for b, high in upper:
            others[derived.add((low, b), (high, a))] = None
    return others


Refutation = tuple[tuple[int, ...], Witness]
"""The numbers of the premises, and sums of constraints for each case of them and of the goal's negation."""


class Arithmetic(Premises):
    """A set of numbered comparisons between 64-bit integers, with its consequences.

    The cost of goals is charged to a search budget, if one is given. Otherwise each goal has only its own
    limit.
    """

    def __init__(self, premises: Iterable[Comparison] = (), budget: Budget | None = None) -> None:
        self.budget = budget or Budget()
        super().__init__()
        for number, premise in enumerate(premises):
            self.add(premise, number)

    def copy(self) -> Arithmetic:
        self.budget.spend(len(self._premises))
        return self.copy_into(Arithmetic(budget=self.budget))

    def entails(self, goal: Comparison) -> bool:
        """Return whether the goal holds for all integers that satisfy the premises."""
        return self.refutation(goal) is not False

    def refutation(self, goal: Comparison) -> Refutation | Literal[False]:
        """Return a proof that the goal holds for all integers that satisfy the premises.

        Return False if none is found.
        """
        try:
            options = alternatives(negated(goal))
        except TooManyCasesError:
            return False
        if any(self._is_free(option) for option in options):
            return False
        names = [v.name for side in (goal.left, goal.right) for v in expression_variables(side)]
        near = self._nearest(names)
        found = self._refuted(options, near)
        for fewer in _fewer(near) if found is False else ():
            found = found or self._refuted(options, fewer)
        return found

    def _is_free(self, option: tuple[Linear, ...]) -> bool:
        """Return whether an unknown without premises can satisfy one inequality or one equation."""
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

    def contradictory(self) -> Refutation | Literal[False]:
        """Return a proof that no integers satisfy the premises; False if none is found."""
        waiting = {premise: names for premise, (names, _) in self._premises.items()}
        while waiting:
            premise, names = next(iter(waiting.items()))
            near = [premise, *(p for p in self._nearest(names) if p != premise)]
            if found := self._refuted(((),), near):
                return found
            for seen in near:
                waiting.pop(seen, None)
        return False

    def fits(self, expression: Expression) -> tuple[Refutation, Refutation] | Literal[False]:
        """Return proofs that an expression's value fits into 64 bits for all integers that satisfy the
        premises; or False.
        """
        low = self.refutation(Comparison(">=", expression, Constant(MIN_INTEGER)))
        high = low and self.refutation(Comparison("<=", expression, Constant(MAX_INTEGER)))
        return (low, high) if low and high else False

    def _nearest(self, names: Iterable[str]) -> list[Comparison]:
        """Return the premises that share variables with a goal, directly or through nearer premises; nearest
        first.
        """
        chosen: dict[Comparison, None] = {}
        seen = dict.fromkeys(names)
        front = list(seen)
        while front and len(chosen) < MAX_PREMISES:
            new = dict.fromkeys(p for name in front for p in self._mentions.get(name, ()) if p not in chosen)
            self.budget.spend(len(front) + len(new))
            chosen.update(new)
            front = list(
                dict.fromkeys(name for p in new for name in self._premises[p][0] if name not in seen)
            )
            seen.update(dict.fromkeys(front))
        return list(chosen)[:MAX_PREMISES]

    def _refuted(self, options: Alternatives, premises: Iterable[Comparison]) -> Refutation | Literal[False]:
        """Return a proof that no option is consistent with the premises, with the numbers of the premises
        used.
        """
        used: list[tuple[Comparison, Alternatives]] = []
        count = len(options)
        for premise in premises:
            self.budget.spend(1 + len(self._premises[premise][0]))
            try:
                choices = alternatives(premise)
            except TooManyCasesError:
                continue
            if count * len(choices) <= MAX_CASES:
                used.append((premise, choices))
                count *= len(choices)
        found = _sums(options, [choices for _, choices in used], self.budget)
        if found is False:
            return False
        needed = [each for place, each in enumerate(used) if place in found[1]]
        if len(needed) < len(used):
            fewer = _sums(options, [choices for _, choices in needed], self.budget)
            used, found = (used, found) if fewer is False else (needed, fewer)
        return tuple(self._premises[premise][1] for premise, _ in used), found[0]


def _fewer(premises: Sequence[Comparison]) -> Iterator[Sequence[Comparison]]:
    """Yield smaller sets of premises: those without case distinctions, and the nearest of these.

    With many premises, the limits may be reached before a proof is found.
    """
    if len(premises) > MANY:
        plain = [premise for premise in premises if len(_choices(premise)) == 1]
        yield from (plain, plain[:MANY], plain[: MANY // 2])


def _choices(premise: Comparison) -> Alternatives:
    try:
        return alternatives(premise)
    except TooManyCasesError:
        return ()


def _sums(
    options: Alternatives, premises: Sequence[Alternatives], budget: Budget
) -> tuple[Witness, set[int]] | Literal[False]:
    """Return sums that refute each case, and the indices of the premises on which they depend."""
    work, found, needed = _WorkLimit(budget), [], set[int]()
    for chosen in product(options, *premises):
        sums = infeasible([c for part in chosen for c in part], work)
        if sums is False:
            return False
        found.append(sums)
        of = [place for place, part in enumerate(chosen) for _ in part]
        assert isinstance(sums, tuple)
        for each in sums:
            assert isinstance(each, tuple)
            for number, _ in each:  # type: ignore[misc,str-unpack]
                if isinstance(number, int) and number < len(of) and of[number] > 0:
                    needed.add(of[number] - 1)
    return tuple(found), needed


def _bounds(constraints: Sequence[Linear]) -> Iterator[tuple[str, Linear]]:
    """Yield the 64-bit bounds of every variable, if large numbers occur; opaque unknowns have no bounds."""
    if any(abs(c.constant) > FAR for c in constraints):
        unknowns = sorted({u for c in constraints for u, _ in c.coefficients if not u.startswith("(")})
        for reference in (f"{mark}{unknown}" for mark in (">", "<") for unknown in unknowns):
            constraint = bound(reference)
            assert constraint is not None
            yield reference, constraint
