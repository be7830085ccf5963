"""Facts of many states as columns, for domains that write them without an object for each fact."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, Literal, Protocol, runtime_checkable

from hornbook.kb.ast.terms import Atom
from hornbook.kb.ast.theory import Theory
from hornbook.kb.text.dataclass import dataclass
from hornbook.theories.protocols.games import RuleQuery

Columns = Sequence[bytes]
"""Columns of 64-bit integers: words as the numbers that the caller gives, and integers as they are."""
Kinds = Mapping[str, tuple[Literal["word", "integer"], ...]]
"""The kinds of the columns of relations, by relation."""


class ColumnQuery(Protocol):
    """A query to the rules about a state in a compact form."""

    @property
    def shape(self) -> Hashable:
        """Queries of one shape have common facts, and are written together."""

    @property
    def kinds(self) -> Kinds:
        """The kinds of the columns of each relation that queries of this shape write."""

    def rule_query(self) -> RuleQuery:
        """Return the same query, with its facts in parts."""

    def number_of(self, relation: str) -> tuple[str, int] | None:
        """Return the only game of the query, and the integer of a relation about its only argument.

        The state has the fact `relation(x, n)` about the argument `x` for this integer `n` alone. None is
        returned if it is not known at once.
        """


@dataclass(frozen=True, slots=True)
class ColumnBlock:
    """Facts of queries of one shape, by relation.

    Attributes:
        common: The facts of all queries.
        given: The other facts of each query. The first column has the place of the query.
        games: The arguments of the games to decide, by game. The first column has the place of the query.
    """

    common: Mapping[str, Columns]
    given: Mapping[str, Columns]
    games: Mapping[str, Columns]


class ColumnWriter(Protocol):
    """A writer of the facts of states in compact form as columns."""

    def column_block(self, queries: Sequence[Any], cell: Callable[[str], int]) -> ColumnBlock:
        """Return the facts of queries of one shape; `cell` numbers a word."""


@runtime_checkable
class ColumnStates(ColumnWriter, Protocol):
    """States with a compact form, whose facts can be written as columns."""

    def compact_texts(self, texts: Sequence[str]) -> Sequence[Any | None]:
        """Return the states of texts in compact form. For None, the adapter must read the text."""

    def compact_state(self, state: Any) -> Any:
        """Return a state in compact form."""

    def column_queries(self, state: Any, game: Atom | None, theory: Theory) -> Sequence[ColumnQuery] | None:
        """Return the queries about a game of a compact state, or about all games.

        None is returned if the state may have no such game; `question` then decides.
        """
