"""The static values of Python expressions, computed without running the program.

Lists count as tuples, since these values never change. A name whose list may be changed has no known value.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

UNKNOWN = object()
"""The value of a name that is bound to something other than a term of pyDatalog."""
_MOST = 100_000
_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Div: operator.truediv,
}  # fmt: skip
_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le,
    ast.Gt: operator.gt, ast.GtE: operator.ge, ast.In: lambda a, b: a in b, ast.NotIn: lambda a,
    b: a not in b,
}  # fmt: skip
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "range": range, "len": len, "str": str, "int": int, "list": tuple, "tuple": tuple, "sorted": sorted,
    "enumerate": enumerate, "zip": zip, "reversed": reversed,
}  # fmt: skip
_METHODS = frozenset(
    ("items", "keys", "values", "split", "splitlines", "strip", "lower", "upper", "title", "capitalize")
)


def value_of(node: ast.expr, names: Mapping[str, object]) -> Any:
    """Return the value of an expression under known values of names, or UNKNOWN if there is none or a large
    one.
    """
    try:
        return _value(node, names)
    # errors of the evaluated expression, and names or functions that are unknown here
    except Exception:  # noqa: BLE001
        return UNKNOWN


def _value(node: ast.expr | None, names: Mapping[str, object]) -> Any:
    value: Any = None
    match node:
        case None | ast.Constant():
            return None if node is None else node.value
        case ast.Name(id=name):
            value = names[name]
        case ast.List(elts=elements) | ast.Tuple(elts=elements) | ast.Set(elts=elements):
            value = tuple(_value(element, names) for element in elements)
        case ast.Dict(keys=keys, values=values):
            pairs = zip(keys, values, strict=True)
            value = {_value(key, names): _value(of_key, names) for key, of_key in pairs}
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            value = -_value(operand, names)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            value = not _value(operand, names)
        case ast.BoolOp(op=op, values=values):
            value = (all if isinstance(op, ast.And) else any)([_value(part, names) for part in values])
        case ast.BinOp(left=left, op=op, right=right):
            sides = _value(left, names), _value(right, names)
            only_numbers = not isinstance(op, (ast.Mult, ast.Mod)) or not any(
                isinstance(s, (str, tuple)) for s in sides
            )
            value = _BINARY[type(op)](*sides) if only_numbers else UNKNOWN
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            value = _COMPARE[type(op)](_value(left, names), _value(right, names))
        case ast.Slice(lower=lower, upper=upper, step=step):
            return slice(_value(lower, names), _value(upper, names), _value(step, names))
        case ast.Subscript(value=container, slice=index):
            value = _value(container, names)[_value(index, names)]
        case ast.JoinedStr(values=parts):
            value = "".join(str(_value(part, names)) for part in parts)
        case ast.FormattedValue(value=part, conversion=-1, format_spec=None):
            value = _value(part, names)
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name not in names:
            value = _FUNCTIONS[name](*(_value(argument, names) for argument in arguments))
        case ast.Call(func=ast.Attribute(value=owner, attr=name), args=arguments, keywords=[]) if (
            name in _METHODS
        ):
            value = getattr(_value(owner, names), name)(*(_value(argument, names) for argument in arguments))
        case _:
            raise KeyError
    if value is UNKNOWN or (isinstance(value, int) and value.bit_length() > 64):
        raise KeyError
    if not isinstance(value, (str, int, float, dict, type(None))):
        value = tuple(value) if not isinstance(value, range) or len(value) <= _MOST else UNKNOWN
    if value is UNKNOWN or (isinstance(value, (str, tuple)) and len(value) > _MOST):
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


def unchanged(module: ast.Module, functions: Collection[str]) -> Iterator[str]:
    """Yield the names whose values are only read: iterated, indexed, measured or passed to functions of the
    file.
    """
    looked_at: set[int] = set()
    loaded: dict[str, list[ast.Name]] = {}
    for node in ast.walk(module):
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                loaded.setdefault(name, []).append(node)
            case (
                ast.For(iter=part)
                | ast.comprehension(iter=part)
                | ast.Subscript(value=part, ctx=ast.Load())
                | ast.Starred(value=part)
                | ast.FormattedValue(value=part)
                | ast.UnaryOp(op=ast.Not(), operand=part)
            ):
                looked_at.add(id(part))
            case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[part]):
                looked_at.add(id(part))
            case ast.Call(func=ast.Name(id=name), args=arguments) if name in _FUNCTIONS or name in functions:
                looked_at.update(map(id, arguments))
            case ast.Call(func=ast.Attribute(value=part, attr=name)) if name in _METHODS:
                looked_at.add(id(part))
    yield from (name for name, uses in loaded.items() if all(id(use) in looked_at for use in uses))
