"""Equations among a rule's conditions: what they determine, and which comparisons they make redundant."""

from __future__ import annotations

from hornbook.compiler.witness.questions import TooManyCasesError, cases
from hornbook.kb.ast.terms import (
    MAX_INTEGER,
    MIN_INTEGER,
    Comparison,
    Condition,
    Constant,
    Expression,
    Operation,
    Term,
    Variable,
)
from hornbook.matcher.program.operators import COMPARISONS, OPERATIONS


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
    """Whether a comparison has no variable left, or one thing on both sides, and is true: nothing in it leaves 64 bits."""
    if not isinstance(condition, Comparison):
        return False
    if condition.operator == "=" and condition.left == condition.right:
        return not isinstance(condition.left, Operation)
    left, right = _value(condition.left), _value(condition.right)
    return left is not None and right is not None and COMPARISONS[condition.operator](left, right)


def _value(side: Expression) -> int | None:
    """The number that an expression without variables is; None where there is none within 64 bits."""
    match side:
        case Constant(value=int() as value):
            return value
        case Operation():
            if side.operator not in OPERATIONS:
                return None
            left, right = _value(side.left), _value(side.right)
            if left is None or right is None or (side.operator == "//" and right == 0):
                return None
            value = OPERATIONS[side.operator](left, right)
            return value if MIN_INTEGER <= value <= MAX_INTEGER else None
    return None
