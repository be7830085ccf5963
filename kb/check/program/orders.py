"""Unsatisfiable comparisons of integers.

Negative cycles of differences of two variables are found (Pratt 1977), and comparisons with one unknown are
solved exactly.
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

MOST = 60
"""The maximum number of comparisons of a checked rule."""
_ZERO = ""
_SOLVED = frozenset(("+", "-", "*", "//", "min", "max"))
_Difference = tuple[str, str, int]
"""A difference constraint: the first variable exceeds the second by at most the number."""


def never_together(comparisons: Sequence[Comparison]) -> Comparison | None:
    """Return the first comparison that contradicts the preceding ones, if this can be shown."""
    if len(comparisons) > MOST or not _contradict(comparisons):
        return None
    counts = range(1, len(comparisons) + 1)
    return next(comparisons[count - 1] for count in counts if _contradict(comparisons[:count]))


def _contradict(comparisons: Sequence[Comparison]) -> bool:
    return _is_circle([each for c in comparisons for each in _differences(c)]) or _have_no_solution(
        comparisons
    )


def _is_circle(differences: Sequence[_Difference]) -> bool:
    """Return whether the differences have a cycle with a negative sum, so that a value would be less than
    itself.
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
    left, right = _with_offset(comparison.left), _with_offset(comparison.right)
    if left is None or right is None:
        return []
    (one, more), (other, added) = left, right
    up, down = (one, other, added - more), (other, one, more - added)
    match comparison.operator:
        case "<=":
            return [up]
        case "<":
            return [(one, other, added - more - 1)]
        case ">=":
            return [down]
        case ">":
            return [(other, one, more - added - 1)]
        case "=":
            return [up, down]
        case _:
            return []


def _with_offset(expression: Expression) -> tuple[str, int] | None:
    """Return the variable of a sum (or an empty name) and the integer that is added."""
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
    """Return whether no integer satisfies the comparisons with one variable."""
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
    match expression:
        case Constant(value=value):
            return isinstance(value, int)
        case Operation(operator=operator, operands=operands):
            return operator in _SOLVED and all(map(_is_of_integers, operands))
        case _:
            return not expression.is_wildcard
