"""Equations among a rule's conditions: what they determine, and which comparisons they make redundant."""

from __future__ import annotations

from hornbook.compiler.witness.questions import Arithmetic, TooManyCasesError, cases
from hornbook.kb.ast.terms import (
    Comparison,
    Condition,
    Constant,
    Expression,
    Operation,
    Term,
    Variable,
    condition_variables,
)


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
    """Whether a comparison has no variable left, or one thing on both sides, and is true."""
    if not isinstance(condition, Comparison):
        return False
    if condition.operator == "=" and condition.left == condition.right:
        return not isinstance(condition.left, Operation)
    return (
        not any(True for _ in condition_variables(condition))
        and _is_number(condition.left)
        and Arithmetic(()).entails(condition)
    )


def _is_number(side: Expression) -> bool:
    return isinstance(side, Operation) or (isinstance(side, Constant) and isinstance(side.value, int))
