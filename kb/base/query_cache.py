"""Cache of parsed, checked and coded queries, so that a repeated query is only evaluated.

Invariants: The number and the length of the stored texts are bounded. An answer is never stored.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache, partial
from typing import Any

from hornbook.kb.ast.theory import Vocabulary
from hornbook.kb.check.queries import check_query
from hornbook.kb.lower.coding import CodedQuery, Coding
from hornbook.kb.parse.parameters import parameters_of
from hornbook.kb.parse.syntax import Query, parse_open_queries
from hornbook.kb.sources.diagnostics import Diagnostic
from hornbook.kb.text.literals.forms import BadLiteralError, Form
from hornbook.matcher.program.dataclass import dataclass

MOST = 256
"""The largest number of stored queries. The one that was not asked for the longest time makes room."""
LONGEST = 1000
"""The largest number of characters of a stored query."""


@dataclass(eq=False)
class OpenQuery:
    """A parsed query, whose parameters have no values. A query with `or` is several queries."""

    queries: tuple[Query, ...]
    vocabulary: Vocabulary
    coded: tuple[Coding, tuple[CodedQuery, ...]] | None = None
    """The coded queries with their coding, if there are no parameters."""

    @cached_property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The errors and warnings about the query, for any values of its parameters."""
        return tuple(d for query in self.queries for d in check_query(query, self.vocabulary))

    @cached_property
    def has_parameters(self) -> bool:
        return any(True for query in self.queries for _ in parameters_of(query.conditions))

    @cached_property
    def forms(self) -> Mapping[str, Form]:
        """The forms of parameters in places of dates, times, decimal numbers and percentages, by name."""
        from hornbook.kb.check.parameters import parameter_sorts  # noqa: PLC0415 - slow to import

        if all(sort.form is None for sort in self.vocabulary.sorts.values()):
            return {}
        sorts = [parameter_sorts(query, self.vocabulary) for query in self.queries]
        return {name: sort.form for of in sorts for name, sort in of.items() if sort.form is not None}

    def written(self, parameters: Mapping[str, Any] | None) -> dict[str, Any]:
        """Return the values of parameters, as dates, times, decimal numbers and percentages in such places.

        A value that is none stays as it is, so that the check reports it at its place.
        """
        return {
            name: self._written(value, self.forms.get(name)) for name, value in (parameters or {}).items()
        }

    def _written(self, value: Any, form: Form | None) -> Any:
        if form is None or type(value) in (int, bool):
            return value
        try:
            return form.of_python(value)
        except BadLiteralError:
            return value


class QueryCache:
    """The latest queries about a vocabulary. Several threads may use it."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._parsed: Callable[[str], OpenQuery] = partial(_open_query, vocabulary)
        self._stored = lru_cache(MOST)(self._parsed)

    def open_query(self, text: str) -> OpenQuery:
        """Return the query of a text. Raises TheoryError if the text is not a query."""
        is_stored = type(text) is str and len(text) <= LONGEST
        return (self._stored if is_stored else self._parsed)(text)


def _open_query(vocabulary: Vocabulary, text: str) -> OpenQuery:
    return OpenQuery(parse_open_queries(text), vocabulary)
