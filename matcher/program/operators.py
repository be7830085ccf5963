"""The operators of comparisons and of calculations: what each means, and the one that says it with its sides swapped."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any, Literal

ComparisonOperator = Literal["=", "!=", "<", "<=", ">", ">="]

COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
OPERATIONS: Mapping[str, Callable[[int, int], int]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "//": operator.floordiv, "min": min, "max": max,
    "mod": operator.mod, "bit_and": operator.and_, "bit_or": operator.or_, "bit_xor": operator.xor,
    "shift_left": operator.lshift, "shift_right": operator.rshift,
}  # fmt: skip
"""Exact: that a number leaves 64 bits is for the caller to see."""
MOST_PLACES = 63
"""By how many bits a number is shifted at most."""
MIRRORED: Mapping[ComparisonOperator, ComparisonOperator] = {
    "=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<=",
}  # fmt: skip


def calculated(operator: str, left: int, right: int) -> int | None:
    """The exact result; None where there is none: a divisor is zero, or a shift is not by 0 to 63 bits."""
    if operator in ("//", "mod"):
        has_result = right != 0
    else:
        has_result = operator not in ("shift_left", "shift_right") or 0 <= right <= MOST_PLACES
    return OPERATIONS[operator](left, right) if has_result else None
