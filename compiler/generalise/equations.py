"""Comparisons among a rule's conditions: values determined by equations, and redundant conditions."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from hornbook.compiler.witness.queries import TooManyCasesError, cases
from hornbook.kb.ast.evaluation import evaluated
from hornbook.kb.ast.substitution import rename_condition
from hornbook.kb.ast.terms import (
    MAX_INTEGER,
    MIN_INTEGER,
    Comparison,
    Condition,
    Constant,
    Expression,
    Operation,
    Statement,
    Term,
    Variable,
    outer_variables,
)
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.operators import COMPARISONS, MIRRORED


def determined(equation: Comparison) -> dict[str, Term] | None:
    """Return a variable that an equation determines, with its value: a term or the solution of a linear
    equation.
    """
    left, right = equation.left, equation.right
    if equation.operator != "=":
        return None
    if isinstance(left, Variable) and not isinstance(right, Operation):
        return None if left == right else {left.name: right}
    if isinstance(right, Variable) and not isinstance(left, Operation):
        return {right.name: left}
    try:
        found = [a.plus(b, -1) for a, _ in cases(left) for b, _ in cases(right)]
    except (TypeError, TooManyCasesError):
        return None
    if len(found) != 1 or len(found[0].coefficients) != 1:
        return None
    (name, coefficient), constant = found[0].coefficients[0], found[0].constant
    if name.startswith("(") or constant % coefficient:
        return None
    return {name: Constant(-constant // coefficient)}


def is_settled(condition: Condition) -> bool:
    """Return whether a comparison is trivially true.

    Its sides are equal, or it has no variables and is true without overflow of 64 bits. Two different words
    are distinct.
    """
    if not isinstance(condition, Comparison):
        return False
    if condition.operator == "=" and condition.left == condition.right:
        return not isinstance(condition.left, Operation)
    if condition.operator == "!=" and _is_word(condition.left) and _is_word(condition.right):
        return condition.left != condition.right
    left, right = _value(condition.left), _value(condition.right)
    return left is not None and right is not None and COMPARISONS[condition.operator](left, right)


def _is_word(side: Expression) -> bool:
    return isinstance(side, Constant) and isinstance(side.value, str)


def _value(side: Expression) -> int | None:
    """Return the value of an expression without variables; None if it has none within 64 bits."""
    match side:
        case Constant(value=int() as value):
            return value
        case Operation():
            operands = [each for each in map(_value, side.operands) if each is not None]
            if len(operands) != len(side.operands):
                return None
            found = evaluated(side.operator, operands)
            return found if found is not None and MIN_INTEGER <= found <= MAX_INTEGER else None
    return None


def without_redundant(conditions: Iterable[Condition], head: Statement) -> tuple[Condition, ...]:
    """Return the conditions of a rule with this head, without trivial and redundant ones.

    Redundant are duplicates, comparisons with exchanged sides, bounds implied by narrower ones of the same
    expression (`?n >= 1` by `?n >= 2`), and closed conditions equal up to renaming of members.
    """
    all_conditions = tuple(conditions)
    terms = (term for term in head.terms if isinstance(term, Variable))
    shared = frozenset(variable.name for variable in (*terms, *outer_variables(all_conditions)))
    retained: dict[Condition, Condition] = {}
    for condition in all_conditions:
        if isinstance(condition, Comparison) and (is_settled(condition) or _mirrored(condition) in retained):
            continue
        is_nested = not isinstance(condition, (Statement, Comparison))
        retained.setdefault(closed_form(condition, shared) if is_nested else condition, condition)
    bounds = {
        c: bound for c in retained.values() if isinstance(c, Comparison) and (bound := _bound(c)) is not None
    }
    return tuple(
        c
        for c in retained.values()
        if c not in bounds or not any(b.gives(bounds[c]) for b in bounds.values())
    )


def closed_form(condition: Condition, fixed: AbstractSet[str]) -> Condition:
    """Return a closed condition with canonical names for its own variables.

    `fixed` has the names of all others.
    """
    names: dict[str, str] = {}

    def name(old: str) -> str:
        return old if old in fixed else names.setdefault(old, f"#{len(names)}")

    return rename_condition(condition, name)


def _mirrored(comparison: Comparison) -> Comparison:
    return Comparison(MIRRORED[comparison.operator], comparison.right, comparison.left)


@dataclass(frozen=True, slots=True)
class _Bound:
    """The values that a comparison with a number allows: `low` to `high`, or all others if `but` is True."""

    side: Expression
    low: int
    high: int
    but: bool = False

    def gives(self, other: _Bound) -> bool:
        """Return whether this bound implies the other one and is not equivalent to it."""
        if self.side != other.side or self.but:
            return False
        if other.but:
            return other.low < self.low or self.high < other.low
        return other != self and other.low <= self.low and self.high <= other.high


def _bound(comparison: Comparison) -> _Bound | None:
    if isinstance(comparison.left, Constant):
        comparison = _mirrored(comparison)
    side, number = comparison.left, comparison.right.value if isinstance(comparison.right, Constant) else None
    if not isinstance(number, int):
        return None
    match comparison.operator:
        case ">" | ">=":
            return _Bound(side, number + (comparison.operator == ">"), MAX_INTEGER)
        case "<" | "<=":
            return _Bound(side, MIN_INTEGER, number - (comparison.operator == "<"))
        case "!=":
            return _Bound(side, number, number, but=True)
        case _:
            return None
