"""Columns of facts for positions on boards. The facts of a board are common to all positions on it."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterable, Sequence
from types import ModuleType
from typing import Any, ClassVar

from hornbook.kb.ast.parts import Part, Rows, cached_part, part_of_fact, rows_of
from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.text.dataclass import dataclass
from hornbook.theories.protocols.columns import ColumnBlock, Columns, Kinds
from hornbook.theories.protocols.games import Games, RuleQuery

Shape = tuple[int, ...]
"""The arguments of the adapter's `board`."""


@dataclass(frozen=True, slots=True)
class BoardQuery:
    """A query about some games of a position."""

    state: Any
    games: tuple[Atom, ...]
    shape: Hashable
    kinds: Kinds
    parts: Callable[[Any], Sequence[Part]]

    def rule_query(self) -> RuleQuery:
        return RuleQuery(self.parts(self.state), self.games)

    def number_of(self, relation: str) -> None:
        """Return None, because no integer is known at once."""


class BoardColumns(Games):
    """The members for columns, for a domain that has one question about a position.

    The adapter's `board` returns the facts of a board, and its `position_facts` those of a position.
    """

    kinds: ClassVar[Kinds]

    def shape(self, state: Any) -> Shape:
        """Return the arguments of the adapter's `board` for a position."""
        return ()

    def parts(self, state: Any) -> Sequence[Part]:
        """Return the facts of a position, with those of the board in one part."""
        adapter = self.adapter
        board = cached_part(_board_rows, adapter, self.shape(state))
        return [board, *(part_of_fact(fact) for fact in adapter.position_facts(state))]

    def compact_texts(self, texts: Sequence[str]) -> Sequence[None]:
        """Return None for each text, so that the adapter reads it."""
        return [None] * len(texts)

    def compact_state(self, state: Any) -> Any:
        """Return the position itself."""
        return state

    def column_queries(self, state: Any, game: Atom | None, theory: Theory) -> Sequence[BoardQuery] | None:
        """Return the query about a game of a position, or about all; None if it has no such game."""
        games = tuple(self.games(state))
        if game is not None:
            if game not in games:
                return None
            games = (game,)
        return [BoardQuery(state, games, self.shape(state), self.kinds, self.parts)]

    def column_block(self, queries: Sequence[BoardQuery], cell: Callable[[str], int]) -> ColumnBlock:
        """Return the facts of queries about positions on one board."""
        adapter, writer = self.adapter, _FactWriter(cell)
        for fact in adapter.board(*self.shape(queries[0].state)):
            writer.add((), fact)
        common, writer = writer.columns(), _FactWriter(cell)
        asked = _FactWriter(cell)
        for place, query in enumerate(queries):
            writer.add_all((place,), adapter.position_facts(query.state))
            asked.add_all((place,), map(_game_fact, query.games))
        return ColumnBlock(common, writer.columns(), asked.columns())


def _board_rows(adapter: ModuleType, shape: Shape) -> Rows:
    return rows_of(adapter.board(*shape))


def _game_fact(game: Atom) -> GroundFact:
    return GroundFact(game.predicate, tuple([t.value for t in game.terms if isinstance(t, Constant)]))


class _FactWriter:
    """A writer of facts as rows of cells. States often share facts, so each is coded once."""

    def __init__(self, cell: Callable[[str], int]) -> None:
        self._cell = cell
        self._rows: dict[str, list[tuple[int, ...]]] = {}
        self._known: dict[GroundFact, tuple[list[tuple[int, ...]], tuple[int, ...]]] = {}

    def add(self, first: tuple[int, ...], fact: GroundFact) -> None:
        """Add a fact as a row that begins with some cells."""
        self.add_all(first, (fact,))

    def add_all(self, first: tuple[int, ...], facts: Iterable[GroundFact]) -> None:
        """Add facts as rows that begin with the same cells."""
        known = self._known
        for fact in facts:
            if fact not in known:
                cells = tuple([v if isinstance(v, int) else self._cell(v) for v in fact.values])
                known[fact] = self._rows.setdefault(fact.relation, []), cells
            rows, cells = known[fact]
            rows.append(first + cells)

    def columns(self) -> dict[str, Columns]:
        """Return the columns of each relation."""
        return {
            relation: [array("q", column).tobytes() for column in zip(*rows, strict=True)]
            for relation, rows in self._rows.items()
        }
