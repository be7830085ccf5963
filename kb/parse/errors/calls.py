"""What a call of a function gets wrong by itself: its name, how many operands it has, and constants among them."""

from __future__ import annotations

from collections.abc import Sequence

from hornbook.kb.ast.notation import print_expression
from hornbook.kb.ast.operators import FUNCTIONS, signature
from hornbook.kb.ast.terms import Constant, Expression, Operation, Span
from hornbook.kb.sources.diagnostics import Diagnostic, did_you_mean, error

_SAID = {"integer": "an integer", "word": "a word"}


def call_mistake(name: str, operands: Sequence[Expression], place: Span) -> Diagnostic | None:
    """HB058 for a function that there is not, or one that is called with what it does not take."""
    if name not in FUNCTIONS:
        near = did_you_mean(name, FUNCTIONS) or "a fact is a condition of its own, and no value"
        return error("HB058", f"there is no function `{name}`", place, near)
    kinds = FUNCTIONS[name].operands
    if len(operands) != len(kinds):
        count = f"{len(kinds)} operand" + "s" * (len(kinds) != 1)
        takes = ", ".join(_SAID[kind] for kind in kinds)
        return error("HB058", f"`{name}` has {count}, not {len(operands)}", place, f"it takes {takes}")
    for operand, kind in zip(operands, kinds, strict=True):
        found = _kind(operand)
        if found not in (None, kind):
            message = f"`{name}` takes {_SAID[kind]} here, and this is {_SAID[found]}"
            help_line = "a variable begins with `?`" if kind == "integer" else "a word is quoted: '12'"
            return error("HB058", message, operand.span, help_line)
    return None


def calculated_argument(operation: Operation) -> Diagnostic:
    """HB001 for a calculation among the arguments of a statement; what looks like a date is one more likely."""
    text = print_expression(operation)
    if is_date(operation):
        help_line = "a word with `-` in it is quoted: '2024-01-31'"
        return error("HB001", "integers with `-` between them are no word", operation.span, help_line)
    help_line = f"write the condition `?m = {text}` and use `?m` here"
    return error("HB001", "arguments are not calculated", operation.span, help_line)


def is_date(expression: Expression) -> bool:
    """Whether an expression is written like `2024-01-31`: integers with `-` between them and no space."""
    if not isinstance(expression, Operation) or expression.operator != "-":
        return False
    left, right = expression.left, expression.right
    together = left.span.end_column + 1 == right.span.column and left.span.line == right.span.line
    return together and isinstance(right, Constant) and (isinstance(left, Constant) or is_date(left))


def _kind(expression: Expression) -> str | None:
    """What an expression is by itself; None for a variable."""
    match expression:
        case Constant(value=int()):
            return "integer"
        case Constant():
            return "word"
        case Operation():
            return signature(expression.operator).result
        case _:
            return None
