"""Units: the integer sorts of a theory, and the units of calculations.

A sum, a difference, `min` and `max` have the unit of their operands, and so has the other side of a
comparison. Other results, such as products and quotients, have no unit: they are plain integers, which are
compatible with every unit.
"""

from __future__ import annotations

from collections.abc import Iterator

from hornbook.kb.ast.terms import Constant, Expression, Operation, Variable

_OF_ONE_UNIT = frozenset(("+", "-", "min", "max"))


def bearers(expression: Expression) -> Iterator[Variable]:
    """Yield the variables whose unit is that of the expression, in order."""
    match expression:
        case Variable():
            yield expression
        case Operation() if expression.operator in _OF_ONE_UNIT:
            for operand in expression.operands:
                yield from bearers(operand)
        case Operation() | Constant():
            pass


def factors(expression: Expression) -> Iterator[Expression]:
    """Yield the operands of all products and quotients in an expression. Each has a unit of its own."""
    if isinstance(expression, Operation):
        if expression.operator not in _OF_ONE_UNIT:
            yield from expression.operands
        for operand in expression.operands:
            yield from factors(operand)
