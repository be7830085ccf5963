"""The values of literals in Python, computed without running the program, and the words for floats."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping
from typing import Any

UNKNOWN = object()
"""The value of a name that is bound to something other than a term of pyDatalog."""
_MOST = 100_000
_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Div: operator.truediv,
}  # fmt: skip


def value_of(node: ast.expr, names: Mapping[str, object]) -> Any:
    """Return the value of a literal under known values of names, or UNKNOWN if there is none or a large
    one.
    """
    try:
        return _value(node, names)
    # errors of the evaluated expression, and names or operators that are unknown here
    except Exception:  # noqa: BLE001
        return UNKNOWN


def _value(node: ast.expr, names: Mapping[str, object]) -> Any:
    value: Any = None
    match node:
        case ast.Constant():
            return node.value
        case ast.Name(id=name):
            value = names[name]
        case ast.Tuple(elts=parts):
            value = tuple(_value(part, names) for part in parts)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            value = -_value(operand, names)
        case ast.BinOp(left=left, op=op, right=right):
            sides = _value(left, names), _value(right, names)
            only_numbers = not isinstance(op, (ast.Mult, ast.Mod)) or not any(
                isinstance(side, (str, tuple)) for side in sides
            )
            value = _BINARY[type(op)](*sides) if only_numbers else UNKNOWN
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
            value = _value(left, names) == _value(right, names)
        case _:
            raise KeyError
    if value is UNKNOWN or (isinstance(value, int) and value.bit_length() > 64):
        raise KeyError
    if isinstance(value, (str, tuple)) and len(value) > _MOST:
        raise KeyError
    return value


def float_word(number: float) -> str:
    """Return the word for a float: the shortest number that is equal to it within the 27 bits that pyDatalog
    keeps.
    """
    rounded = _rounded(number)
    return next(
        (text for digits in range(1, 18) if _rounded(float(text := f"{rounded:.{digits}g}")) == rounded),
        repr(rounded),
    )


def _rounded(number: float) -> float:
    if not math.isfinite(number):
        return number
    mantissa, exponent = math.frexp(number)
    return math.copysign(math.ldexp(math.floor(abs(mantissa) * 2**27 + 0.5), exponent - 27), number)
