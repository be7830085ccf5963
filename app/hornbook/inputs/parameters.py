"""Values of query parameters, given as `--set NAME=VALUE`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hornbook.kb.ast.theory import Vocabulary
from hornbook.kb.parse.syntax import parse_open_queries
from hornbook.kb.tables.table_values import mixed_value
from hornbook.kb.text.literals.forms import BadLiteralError
from hornbook.terminal.failure import ArgumentError

_NAME = re.compile(r"[^\W\d_]\w*")
_INTEGER = re.compile(r"-?[0-9]{1,4000}")


def read_parameters(
    settings: Sequence[str] | None, query: str, vocabulary: Vocabulary
) -> dict[str, str | int]:
    """Return the parameter values of the settings.

    A value is an integer, a date, a time or a decimal number if the query uses the parameter in such a
    column, otherwise a word. Raises ArgumentError if a setting is malformed or sets a name twice, and
    TheoryError if the query cannot be parsed.
    """
    from hornbook.kb.check.parameters import parameter_sorts  # noqa: PLC0415 - slow to import

    values: dict[str, str | int] = {}
    if not settings:
        return values
    sorts = {
        name: sort
        for each in parse_open_queries(query)
        for name, sort in parameter_sorts(each, vocabulary).items()
    }
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals or not _NAME.fullmatch(name):
            raise ArgumentError(
                f"`{setting}` has no value: write the name without `$`,"
                " then `=` and the value, such as `user=ann`",
                argument="--set",
            )
        if name in values:
            raise ArgumentError(f"`{name}` is set twice", argument="--set")
        form = sorts[name].form if name in sorts else None
        if form is not None:
            try:
                values[name] = form.of_text(value)
            except BadLiteralError as problem:
                raise ArgumentError(f"`{value}` {problem}", argument="--set") from None
            continue
        kind = sorts[name].kind if name in sorts else "open"
        is_number = kind == "integer" and _INTEGER.fullmatch(value)
        values[name] = mixed_value(value) if kind == "mixed" else int(value) if is_number else value
    return values
