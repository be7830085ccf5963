"""Comparisons of integers that no values satisfy together, so that a rule with them never applies.

Two methods find them. Comparisons of two variables, each with an offset, are difference constraints, and a
cycle of them with a negative sum is unsatisfiable (Pratt 1977). Comparisons with one variable are solved
exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from hornbook.kb.ast.terms import (
    MAX_INTEGER,
    MIN_INTEGER,
    Comparison,
    Constant,
    Expression,
    Operation,
    Variable,
    condition_variables,
)
from hornbook.kb.integers.intervals import Intervals
from hornbook.kb.integers.univariate import UnsolvedError, solutions

MAX_COMPARISONS = 60
"""The maximum number of comparisons of a rule that is checked."""
_ZERO = ""
"""The name of the number 0 in difference constraints. No variable has it."""
_SOLVED = frozenset(("+", "-", "*", "//", "min", "max"))
"""The operators that `solutions` can solve."""
_Difference = tuple[str, str, int]
"""A difference constraint: the first name exceeds the second by at most the number."""


def never_together(comparisons: Sequence[Comparison]) -> Comparison | None:
    """Return the first comparison that contradicts the preceding ones; None if no contradiction is found."""
    if len(comparisons) > MAX_COMPARISONS or not _contradict(comparisons):
        return None
    counts = range(1, len(comparisons) + 1)
    return next(comparisons[count - 1] for count in counts if _contradict(comparisons[:count]))


def _contradict(comparisons: Sequence[Comparison]) -> bool:
    differences = [each for c in comparisons for each in _differences(c)]
    return _has_negative_cycle(differences) or _have_no_solution(comparisons)


def _has_negative_cycle(differences: Sequence[_Difference]) -> bool:
    """Return whether the differences have a cycle with a negative sum, so that a value would be less than
    itself (Bellman and Ford).
    """
    names = {name for one, other, _ in differences for name in (one, other)}
    most = dict.fromkeys(names, 0)
    for _ in names:
        changed = False
        for one, other, at_most in differences:
            if most[other] + at_most < most[one]:
                most[one] = most[other] + at_most
                changed = True
        if not changed:
            return False
    return bool(names)


def _differences(comparison: Comparison) -> list[_Difference]:
    """Return the difference constraints of a comparison; none if a side is no variable or number with an
    offset.
    """
    left, right = _with_offset(comparison.left), _with_offset(comparison.right)
    if left is None or right is None:
        return []
    (one, left_offset), (other, right_offset) = left, right
    bound = right_offset - left_offset
    at_most, at_least = (one, other, bound), (other, one, -bound)
    match comparison.operator:
        case "<=":
            return [at_most]
        case "<":
            return [(one, other, bound - 1)]
        case ">=":
            return [at_least]
        case ">":
            return [(other, one, -bound - 1)]
        case "=":
            return [at_most, at_least]
        case _:
            return []


def _with_offset(expression: Expression) -> tuple[str, int] | None:
    """Return the variable of a sum (_ZERO if it has none) and the integer that is added.

    Return None for other expressions.
    """
    match expression:
        case Constant(value=int() as value):
            return _ZERO, value
        case Variable(name=name) if not expression.is_wildcard:
            return name, 0
        case Operation(operator="+" | "-" as operator, operands=(left, right)):
            one, other = _with_offset(left), _with_offset(right)
            if one is not None and other is not None and other[0] == _ZERO:
                return one[0], one[1] + (other[1] if operator == "+" else -other[1])
            if one is not None and other is not None and one[0] == _ZERO and operator == "+":
                return other[0], one[1] + other[1]
    return None


def _have_no_solution(comparisons: Sequence[Comparison]) -> bool:
    """Return whether no integer satisfies the comparisons with one variable, for some variable.

    Comparisons of integers without operations are left to the difference constraints.
    """
    univariate: dict[str, list[Comparison]] = {}
    for comparison in comparisons:
        names = {variable.name for variable in condition_variables(comparison)}
        if len(names) == 1 and all(map(_is_of_integers, (comparison.left, comparison.right))):
            univariate.setdefault(names.pop(), []).append(comparison)
    for together in univariate.values():
        if not any(isinstance(side, Operation) for c in together for side in (c.left, c.right)):
            continue
        domain = Intervals.of([(MIN_INTEGER, MAX_INTEGER)])
        for comparison in together:
            with suppress(UnsolvedError):
                domain = solutions(comparison, domain)
            if not domain:
                return True
    return False


def _is_of_integers(expression: Expression) -> bool:
    """Return whether an expression consists of integers, variables and the operators in _SOLVED."""
    match expression:
        case Constant(value=value):
            return isinstance(value, int)
        case Operation(operator=operator, operands=operands):
            return operator in _SOLVED and all(map(_is_of_integers, operands))
        case _:
            return not expression.is_wildcard
