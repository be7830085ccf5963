"""Units: the integer sorts of a theory, and what calculations make of them.

A sum, a difference, `min` and `max` have the unit of what they are of, and so does what they are compared with.
All else has none, such as a product or a quotient: it is a plain integer, which goes with every unit.
"""

from __future__ import annotations

from collections.abc import Iterator

from hornbook.kb.ast.terms import Constant, Expression, Operation, Variable

_OF_ONE_UNIT = frozenset(("+", "-", "min", "max"))


def bearers(expression: Expression) -> Iterator[Variable]:
    """The variables whose unit is that of the expression, in order."""
    match expression:
        case Variable():
            yield expression
        case Operation() if expression.operator in _OF_ONE_UNIT:
            for operand in expression.operands:
                yield from bearers(operand)
        case Operation() | Constant():
            pass


def factors(expression: Expression) -> Iterator[Expression]:
    """The sides of all products and quotients in an expression: each has a unit of its own."""
    if isinstance(expression, Operation):
        if expression.operator not in _OF_ONE_UNIT:
            yield from expression.operands
        for operand in expression.operands:
            yield from factors(operand)
