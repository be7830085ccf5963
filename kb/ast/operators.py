"""The operators and functions of arithmetic and word expressions, with the kinds of their operands and
results.

This is the only list of them. Operands and results are integers or words. A function is written
`NAME(operand, …)`, an operator between its two operands. Neither name is reserved.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

from hornbook.kb.text.literals.functions import OPERANDS
from hornbook.matcher.program.dataclass import dataclass

Kind = Literal["integer", "word"]


@dataclass(frozen=True, slots=True)
class Signature:
    """The kinds of the operands of an operator, in order, and of its result."""

    operands: tuple[Kind, ...]
    result: Kind = "integer"
    goes_on: bool = False
    """Whether more operands of the kind of the last one may follow."""

    def taken(self, count: int) -> tuple[Kind, ...]:
        """Return the kinds of `count` operands."""
        more = count - len(self.operands) if self.goes_on else 0
        return (*self.operands, *self.operands[-1:] * more)


_OF_TWO = Signature(("integer", "integer"))

STRENGTH: Mapping[str, int] = MappingProxyType({"+": 1, "-": 1, "*": 2, "//": 2, "mod": 2})
"""The binding strength of each infix operator. Operators of equal strength associate to the left."""
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
        **{name: Signature(_OF_TWO.operands[:1] * count) for name, count in OPERANDS.items()},
    }
)
"""The functions, which are written as calls."""


PARTIAL = frozenset(("concat", "part", "split", "upper", "lower", "int"))
"""The functions that have no value for some operands. Then neither the comparison nor its opposite holds."""


def is_of_integers(operator: str) -> bool:
    """Return whether the operands and the result are all integers."""
    kinds = signature(operator)
    return {*kinds.operands, kinds.result} == {"integer"}


def signature(operator: str) -> Signature:
    """Return the signature of an operator or a function."""
    return _OF_TWO if operator in STRENGTH else FUNCTIONS[operator]
