"""Arithmetic on 64-bit integers, with None for a result that does not fit or does not exist."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hornbook.matcher.program.coded import Apply, Call, Cell, CodedExpression, Var
from hornbook.matcher.program.operators import calculated, is_cell


class NothingGivenError(Exception):
    """A function has no value for its arguments."""


def evaluate(expression: CodedExpression, cells: Sequence[Cell | None]) -> Cell | None:
    """Return the value of an expression, or None if an intermediate result leaves 64 bits or does not exist.

    The values of the variables are in `cells`; the result is also None if one of them is None. Raises
    NothingGivenError.
    """
    if isinstance(expression, Var):
        return cells[expression.index]
    if isinstance(expression, Call):
        operands = []
        for operand in expression.operands:
            value = evaluate(operand, cells)
            if value is None:
                return None
            operands.append(value)
        given = expression.function.of(tuple(operands))
        if given is None:
            raise NothingGivenError
        return given
    if not isinstance(expression, Apply):
        return expression
    left = evaluate(expression.left, cells)
    right = None if left is None else evaluate(expression.right, cells)
    if left is None or right is None:
        return None
    result = calculated(expression.operator, left, right)
    return result if result is not None and is_cell(result) else None


def aggregate(function: str, rows: Iterable[Sequence[int]]) -> int | None:
    """Return the `count` of the distinct rows, or the `min`, `max` or `sum` of their first cells.

    The result is None if there is no value. The sum is exact, so that it does not depend on the order of the
    rows; it may leave 64 bits.
    """
    if function == "count":
        return len(set(rows))
    values = [row[0] for row in rows]
    match function:
        case "sum":
            return sum(values)
        case "min":
            return min(values, default=None)
        case _:
            return max(values, default=None)
