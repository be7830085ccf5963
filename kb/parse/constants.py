"""Calculations with constants alone, worked out while a text is read."""

from __future__ import annotations

from collections.abc import Sequence

from hornbook.matcher.program.operators import OPERATIONS, calculated


def worked_out(operator: str, operands: Sequence[str | int]) -> int | None:
    """The exact result of integers, which may leave 64 bits; None where there is none, or an operand is a word."""
    numbers = [operand for operand in operands if isinstance(operand, int)]
    if len(numbers) != len(operands):
        return None
    if operator == "abs":
        return abs(numbers[0])
    return calculated(operator, *numbers) if operator in OPERATIONS else None
