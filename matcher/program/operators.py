"""The operators of comparisons and of calculations: what each means, and the one that says it with its sides swapped."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any, Literal

ComparisonOperator = Literal["=", "!=", "<", "<=", ">", ">="]
ArithmeticOperator = Literal["+", "-", "*", "//", "min", "max"]

COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
OPERATIONS: Mapping[str, Callable[[int, int], int]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "//": operator.floordiv, "min": min, "max": max,
}  # fmt: skip
"""Exact: that a number leaves 64 bits, or a divisor is zero, is for the caller to see."""
MIRRORED: Mapping[ComparisonOperator, ComparisonOperator] = {
    "=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<=",
}  # fmt: skip
