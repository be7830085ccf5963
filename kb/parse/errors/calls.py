"""Mistakes in a call of a function that need no context: its name, its number of operands, and constants
among them.
"""

from __future__ import annotations

from collections.abc import Sequence

from hornbook.kb.ast.operators import FUNCTIONS, STRENGTH, signature
from hornbook.kb.ast.terms import Constant, Expression, Operation, Span, Variable
from hornbook.kb.sources.diagnostics import Diagnostic, did_you_mean, error, spelling_fixes, write_instead

AVERAGES = [name for name in FUNCTIONS if name.startswith("average_")]
_KIND_NAMES = {"integer": "an integer", "word": "a word"}


def call_mistake(name: str, operands: Sequence[Expression], place: Span) -> Diagnostic | None:
    """Return HB058 for a call of an unknown function or with wrong operands, or None."""
    if name not in FUNCTIONS:
        if f"{name}_half_up" in FUNCTIONS:
            modes = ", ".join(f"`{each}`" for each in FUNCTIONS if each.startswith(f"{name}_"))
            return error(
                "HB058", f"there is no function `{name}`", place, f"write the mode of rounding: {modes}"
            )
        near = did_you_mean(name, FUNCTIONS) or "a fact is a condition of its own, and no value"
        fixes = spelling_fixes(place, name, FUNCTIONS)
        return error("HB058", f"there is no function `{name}`", place, near, fixes)
    kinds = FUNCTIONS[name].taken(len(operands))
    if len(operands) != len(kinds):
        least = "at least " if FUNCTIONS[name].goes_on else ""
        count = f"{least}{len(kinds)} operand" + "s" * (len(kinds) != 1)
        takes = f"it takes {', '.join(_KIND_NAMES[kind] for kind in kinds)}"
        if name in AVERAGES:
            takes = f"an average of answers ends in `where`, such as `?n = {name}(?x, 2, 1) where …`"
        return error("HB058", f"`{name}` has {count}, not {len(operands)}", place, takes)
    for operand, kind in zip(operands, kinds, strict=True):
        found = _kind(operand)
        if found not in (None, kind):
            message = f"`{name}` takes {_KIND_NAMES[kind]} here, and this is {_KIND_NAMES[found]}"
            if kind == "integer":
                return error("HB058", message, operand.span, "a variable begins with `?`")
            words = [f"'{operand.value}'"] if isinstance(operand, Constant) else []
            fixes = tuple(write_instead(operand.span, word) for word in words)
            return error("HB058", message, operand.span, "a word is quoted: '12'", fixes)
    return None


def average_mistake(name: str, operands: Sequence[Expression], place: Span) -> Diagnostic | None:
    """Return HB058 for an aggregate that is no average or has wrong operands, or None."""
    if name not in AVERAGES:
        near = did_you_mean(name, AVERAGES) or "there are `count`, `sum`, `min`, `max`, and averages"
        return error(
            "HB058", f"there is no aggregate `{name}`", place, near, spelling_fixes(place, name, AVERAGES)
        )
    of_variable = bool(operands) and isinstance(operands[0], Variable) and not operands[0].is_wildcard
    if of_variable and len(operands) == 3:
        return None
    help_line = f"such as `?n = {name}(?x, 2, 1) where …`, for numbers with 2 digits and a result with 1"
    return error("HB058", f"`{name}` takes a variable and two numbers of digits here", place, help_line)


def date_mistake(operation: Operation) -> Diagnostic | None:
    """Return HB001 for a date such as `2024-1-31`: three integers joined by `-` without spaces."""
    inner = operation.operands[0]
    if not (isinstance(inner, Operation) and _is_joined(inner) and _is_joined(operation)):
        return None
    help_line = "a date has four, two and two digits: 2024-01-31"
    return error("HB001", "integers with `-` between them are no word", operation.span, help_line)


def _is_joined(operation: Operation) -> bool:
    """Return whether this is a subtraction of an integer written without spaces."""
    if operation.operator != "-" or not isinstance(operation.right, Constant):
        return False
    left, right = operation.left.span, operation.right.span
    is_number = isinstance(operation.left, Constant | Operation)
    return is_number and left.end_column + 1 == right.column and left.line == right.line


def _kind(expression: Expression) -> str | None:
    """Return the kind of an expression, or None for a variable or an unknown function."""
    match expression:
        case Constant(value=int()):
            return "integer"
        case Constant():
            return "word"
        case Operation(operator=operator) if operator in STRENGTH or operator in FUNCTIONS:
            return signature(operator).result
        case _:
            return None
