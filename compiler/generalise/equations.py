"""Comparisons among a rule's conditions: what equations determine, and which conditions say what others say already."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from hornbook.compiler.witness.questions import TooManyCasesError, cases
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
from hornbook.kb.parse.constants import worked_out
from hornbook.matcher.program.operators import COMPARISONS, MIRRORED


def determined(equation: Comparison) -> dict[str, Term] | None:
    """A variable that an equation determines, with its value: a term, or the number that a linear equation has."""
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
    """Whether a comparison has no variable left, or one thing on both sides, and is true: nothing in it leaves 64 bits, and
    two words are two things.
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
    """The number that an expression without variables is; None where there is none within 64 bits."""
    match side:
        case Constant(value=int() as value):
            return value
        case Operation():
            operands = [each for each in map(_value, side.operands) if each is not None]
            if len(operands) != len(side.operands):
                return None
            found = worked_out(side.operator, operands)
            return found if found is not None and MIN_INTEGER <= found <= MAX_INTEGER else None
    return None


def said_once(conditions: Iterable[Condition], head: Statement) -> tuple[Condition, ...]:
    """The conditions of a rule with this head without those that are true anyway, and those that say what another one says
    too: the same condition, a comparison read from right to left, a bound beside a narrower one of the same side (`?n >= 1`
    beside `?n >= 2`), or the same of a closed set whose members are called otherwise.
    """
    asked = tuple(conditions)
    terms = (term for term in head.terms if isinstance(term, Variable))
    shared = frozenset(variable.name for variable in (*terms, *outer_variables(asked)))
    kept: dict[Condition, Condition] = {}
    for condition in asked:
        if isinstance(condition, Comparison) and (is_settled(condition) or _mirrored(condition) in kept):
            continue
        is_nested = not isinstance(condition, Statement | Comparison)
        kept.setdefault(closed_form(condition, shared) if is_nested else condition, condition)
    bounds = {
        c: bound for c in kept.values() if isinstance(c, Comparison) and (bound := _bound(c)) is not None
    }
    return tuple(
        c for c in kept.values() if c not in bounds or not any(b.gives(bounds[c]) for b in bounds.values())
    )


def closed_form(condition: Condition, fixed: AbstractSet[str]) -> Condition:
    """A closed condition with names of its own variables that do not depend on how they were called; `fixed`
    are the names of the variables that it shares with other conditions.
    """
    names: dict[str, str] = {}

    def name(old: str) -> str:
        return old if old in fixed else names.setdefault(old, f"#{len(names)}")

    return rename_condition(condition, name)


def _mirrored(comparison: Comparison) -> Comparison:
    return Comparison(MIRRORED[comparison.operator], comparison.right, comparison.left)


@dataclass(frozen=True, slots=True)
class _Bound:
    """What a comparison with a number leaves of the other side: `low` to `high`, or all but those."""

    side: Expression
    low: int
    high: int
    but: bool = False

    def gives(self, other: _Bound) -> bool:
        """Whether this implies the other bound and is not implied by it."""
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
