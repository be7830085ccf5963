"""The answers to a query with `or`, which is evaluated as several queries with the same variables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hornbook.kb.ast.ordering import sorted_rows
from hornbook.kb.lower.coding import CodedQuery
from hornbook.kb.lower.errors import TooManyAnswersError
from hornbook.kb.parse.syntax import Query
from hornbook.kb.sources.diagnostics import Diagnostic, error
from hornbook.kb.tables.answers import Answers

_KIND_NAMES = {"word": "a word", "integer": "a number", "mixed": "a word or a number"}


def united(answers: Sequence[Answers], most: int | None) -> Answers:
    """Return the answers to any of several queries, with the variables in the order of the first.

    Raises:
        TooManyAnswersError: There are more than `most` answers.
    """
    first, *others = answers
    if not others:
        return first
    rows = set(first.rows)
    for other in others:
        places = [other.variables.index(name) for name in first.variables]
        rows.update(tuple(row[place] for place in places) for row in other.rows)
    if most is not None and len(rows) > most:
        raise TooManyAnswersError(most)
    return Answers(first.variables, tuple(sorted_rows(rows)), first.mixed)


def unlike_kinds(queries: Sequence[Query], coded: Sequence[CodedQuery]) -> Iterator[Diagnostic]:
    """Yield HB059 for variables that are words in one query and integers in another."""
    first, *others = (dict(zip(each.names, each.shown_kinds, strict=True)) for each in coded)
    for query, kinds in zip(queries[1:], others, strict=True):
        for name, kind in kinds.items():
            if kind != first[name]:
                one, other = (_KIND_NAMES.get(each, f"a `{each}`") for each in (first[name], kind))
                message = f"`?{name}` is {one} in one alternative and {other} in another"
                yield error("HB059", message, query.span, "ask two queries")
