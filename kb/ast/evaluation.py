"""The exact results of calculations with constants."""

from __future__ import annotations

from collections.abc import Sequence

from hornbook.kb.text.literals.functions import DEFINITIONS, value_of
from hornbook.matcher.program.operators import OPERATIONS, calculated


def evaluated(operator: str, operands: Sequence[str | int]) -> int | None:
    """Return the exact result of integers, which may exceed 64 bits, or None if there is none or an operand
    is a word.
    """
    numbers = [operand for operand in operands if isinstance(operand, int)]
    if len(numbers) != len(operands):
        return None
    if operator in DEFINITIONS:
        return value_of(operator, tuple(numbers))
    if operator == "abs":
        return abs(numbers[0])
    return calculated(operator, *numbers) if operator in OPERATIONS else None
