"""Units: the integer sorts of a theory, and what calculations make of them.

A sum, a difference, `min` and `max` have the unit of what they are of, and so does what they are compared with.
A product and a quotient have none: they are plain integers, which go with every unit.
"""

from __future__ import annotations

from collections.abc import Iterator

from hornbook.kb.ast.terms import Constant, Expression, Operation, Variable


def bearers(expression: Expression) -> Iterator[Variable]:
    """The variables whose unit is that of the expression, in order."""
    match expression:
        case Variable():
            yield expression
        case Operation(operator="+" | "-" | "min" | "max"):
            yield from bearers(expression.left)
            yield from bearers(expression.right)
        case Operation() | Constant():
            pass


def factors(expression: Expression) -> Iterator[Expression]:
    """The sides of all products and quotients in an expression: each has a unit of its own."""
    if isinstance(expression, Operation):
        if expression.operator in ("*", "//"):
            yield from (expression.left, expression.right)
        yield from factors(expression.left)
        yield from factors(expression.right)
