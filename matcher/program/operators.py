"""The operators of comparisons and of calculations: meanings, mirror images, and the 64-bit range."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any, Literal

LEAST, GREATEST = -(2**63), 2**63 - 1
ComparisonOperator = Literal["=", "!=", "<", "<=", ">", ">="]

COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le,
    ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
OPERATIONS: Mapping[str, Callable[[int, int], int]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "//": operator.floordiv, "min": min, "max": max,
    "mod": operator.mod, "bit_and": operator.and_, "bit_or": operator.or_, "bit_xor": operator.xor,
    "shift_left": operator.lshift, "shift_right": operator.rshift,
}  # fmt: skip
"""Exact results; the caller checks whether they fit into 64 bits."""
MOST_PLACES = 63
"""The maximal number of bits of a shift."""
MIRRORED: Mapping[ComparisonOperator, ComparisonOperator] = {
    "=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<=",
}  # fmt: skip


def calculated(operator: str, left: int, right: int) -> int | None:
    """Return the exact result, or None if there is none.

    There is none for a zero divisor, or for a shift not by 0 to 63 bits.
    """
    if operator in ("//", "mod"):
        has_result = right != 0
    else:
        has_result = operator not in ("shift_left", "shift_right") or 0 <= right <= MOST_PLACES
    return OPERATIONS[operator](left, right) if has_result else None


def is_cell(number: int) -> bool:
    """Return whether a number fits into 64 bits."""
    return LEAST <= number <= GREATEST
