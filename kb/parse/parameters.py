"""Parameters of queries. Each gets one value, a word or an integer, which is never parsed.

In an open query, a parameter is a variable whose name begins with the mark `$`. No other variable has such a
name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from hornbook.kb.ast.plain_values import described
from hornbook.kb.ast.terms import (
    MAX_INTEGER,
    MIN_INTEGER,
    Condition,
    Constant,
    Span,
    Variable,
    condition_variables,
    rewrite,
)
from hornbook.kb.desugar.surface import MARK
from hornbook.kb.sources.diagnostics import Diagnostic, did_you_mean, error


def parameters_of(conditions: Sequence[Condition]) -> Iterator[Variable]:
    """Yield the parameters of an open query, in order, with repetition."""
    for condition in conditions:
        yield from (variable for variable in condition_variables(condition) if variable.name.startswith(MARK))


def parameter_mistakes(
    conditions: Sequence[Condition], values: Mapping[str, str | int], span: Span
) -> list[Diagnostic]:
    """Return HB052 for missing and superfluous values, and HB006 for integers that are too large.

    The `values` are plain (kb/ast/plain_values.py). Raises TypeError if a value is neither a word nor an
    integer.
    """
    places: dict[str, Span] = {}
    for parameter in parameters_of(conditions):
        places.setdefault(parameter.name.removeprefix(MARK), parameter.span)
    found = [_without_value(name, place) for name, place in places.items() if name not in values]
    for name, value in values.items():
        if not _is_word_or_integer(value):
            raise TypeError(f"the value of `{MARK}{name}` is {described(value)}, but must be a str or an int")
        if name not in places:
            near = did_you_mean(f"{MARK}{name}", (f"{MARK}{known}" for known in places))
            found.append(
                error(
                    "HB052", f"the query has no parameter `{MARK}{name}`", span, near or _KNOWN[bool(places)]
                )
            )
        elif isinstance(value, int) and not MIN_INTEGER <= value <= MAX_INTEGER:
            help_line = f"the integers go from {MIN_INTEGER} to {MAX_INTEGER}"
            message = f"the value of `{MARK}{name}` does not fit into 64 bits"
            found.append(error("HB006", message, places[name], help_line))
    return found


_KNOWN = {
    True: "leave the value out, or name one of the parameters that it has",
    False: "leave the value out; a parameter is written `$user`",
}


def _is_word_or_integer(value: object) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)


def _without_value(name: str, place: Span) -> Diagnostic:
    help_line = f'give it one: `--set {name}=VALUE`, or from Python `parameters={{"{name}": VALUE}}`'
    return error("HB052", f"the parameter `{MARK}{name}` has no value", place, help_line)


def with_values(conditions: tuple[Condition, ...], values: Mapping[str, str | int]) -> tuple[Condition, ...]:
    """Return the conditions with the values of their parameters."""
    if not values:
        return conditions
    return tuple(_with_values(values, condition) for condition in conditions)


def _with_values(values: Mapping[str, str | int], part: Any) -> Any:
    if isinstance(part, Variable):
        if part.name.startswith(MARK):
            return Constant(values[part.name.removeprefix(MARK)], part.span)
        return part
    return part if isinstance(part, Constant) else rewrite(part, partial(_with_values, values))
