"""The expressions that define functions of dates, times and decimal numbers in integer arithmetic."""

from __future__ import annotations

from hornbook.kb.ast.terms import Constant, Expression, Operation
from hornbook.kb.text.literals.functions import DEFINITIONS, digits_operands


class _Built:
    """An expression with the operators of Python. Constant parts are calculated at once."""

    def __init__(self, expression: Expression) -> None:
        self.expression = expression

    def __add__(self, other: _Built | int) -> _Built:
        return _applied("+", self, other)

    def __radd__(self, other: int) -> _Built:
        return _applied("+", other, self)

    def __sub__(self, other: _Built | int) -> _Built:
        return _applied("-", self, other)

    def __rsub__(self, other: int) -> _Built:
        return _applied("-", other, self)

    def __mul__(self, other: _Built | int) -> _Built:
        return _applied("*", self, other)

    def __rmul__(self, other: int) -> _Built:
        return _applied("*", other, self)

    def __floordiv__(self, other: _Built | int) -> _Built:
        return _applied("//", self, other)

    def __mod__(self, other: _Built | int) -> _Built:
        return _applied("mod", self, other)

    @staticmethod
    def min(one: _Built | int, other: _Built | int) -> _Built:
        return _applied("min", one, other)

    @staticmethod
    def max(one: _Built | int, other: _Built | int) -> _Built:
        return _applied("max", one, other)


def _applied(operator: str, left: _Built | int, right: _Built | int) -> _Built:
    # Numbers of months and years are often constants.
    if operator in ("+", "-") and right == 0:
        return left if isinstance(left, _Built) else _Built(Constant(left))
    return _Built(Operation(operator, (_expression(left), _expression(right))))


def _expression(part: _Built | int) -> Expression:
    return Constant(int(part)) if isinstance(part, int) else part.expression


def definition(operation: Operation) -> Expression:
    """Return the expression that defines a call of a function of `DEFINITIONS`.

    The numbers of digits among its operands are constants (HB077).
    """
    places = digits_operands(operation.operator)
    operands = [
        _number(operand) if place in places or isinstance(operand, Constant) else _Built(operand)
        for place, operand in enumerate(operation.operands)
    ]
    return _expression(DEFINITIONS[operation.operator](*operands))


def _number(operand: Expression) -> int:
    assert isinstance(operand, Constant)
    assert isinstance(operand.value, int)
    return int(operand.value)
