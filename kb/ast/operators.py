"""The operators and functions of calculations: what each takes and gives.

The only place that lists them. What one takes and gives is an integer or a word. A function is written
`NAME(operand, …)`, an operator between its two operands; neither name is reserved.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

Kind = Literal["integer", "word"]


@dataclass(frozen=True, slots=True)
class Signature:
    """What an operator takes, in order, and what it gives."""

    operands: tuple[Kind, ...]
    result: Kind = "integer"
    goes_on: bool = False
    """Whether there may be more operands, such as the last."""

    def taken(self, count: int) -> tuple[Kind, ...]:
        """What so many operands are to be."""
        more = count - len(self.operands) if self.goes_on else 0
        return (*self.operands, *self.operands[-1:] * more)


_OF_TWO = Signature(("integer", "integer"))

STRENGTH: Mapping[str, int] = MappingProxyType({"+": 1, "-": 1, "*": 2, "//": 2, "mod": 2})
"""The operators that stand between their operands: how strongly each binds. Those of one strength bind from the left."""
FUNCTIONS: Mapping[str, Signature] = MappingProxyType(
    {
        "abs": Signature(("integer",)),
        **dict.fromkeys(("min", "max", "bit_and", "bit_or", "bit_xor", "shift_left", "shift_right"), _OF_TWO),
        "length": Signature(("word",)),
        "concat": Signature(("word", "word"), "word", goes_on=True),
        "part": Signature(("word", "integer", "integer"), "word"),
        "split": Signature(("word", "word", "integer"), "word"),
        **dict.fromkeys(("upper", "lower"), Signature(("word",), "word")),
        **dict.fromkeys(("starts_with", "ends_with", "contains", "matches"), Signature(("word", "word"))),
        "int": Signature(("word",)),
        "word": Signature(("integer",), "word"),
    }
)
"""What is written as a call."""


PARTIAL = frozenset(("concat", "part", "split", "upper", "lower", "int"))
"""The functions that have no value for some operands: then neither a comparison with one nor its opposite holds."""


def is_of_integers(operator: str) -> bool:
    """Whether what it takes and what it gives are integers alone."""
    kinds = signature(operator)
    return {*kinds.operands, kinds.result} == {"integer"}


def signature(operator: str) -> Signature:
    """What an operator or a function takes and gives."""
    return _OF_TWO if operator in STRENGTH else FUNCTIONS[operator]
