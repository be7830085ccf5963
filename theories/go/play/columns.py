"""Queries about Go boards whose facts are written as columns: the facts of `question.parts`, written in C++.

Boards with more than 19 rows or columns, or with a ko, are read from texts in Python.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from importlib import import_module
from typing import Any, NamedTuple, Protocol

from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.ast.theory import Theory
from hornbook.theories.domain import RuleQuery
from hornbook.theories.go.play import question
from hornbook.theories.go.states.board import PLAYERS, Colour, GoBoard
from hornbook.theories.protocols.columns import ColumnBlock, Columns, Kinds

_OF_BOARDS: Kinds = {
    **dict.fromkeys(("named", "defender"), ("word",)),
    **dict.fromkeys(("colour", "neighbour", "same_block", "liberty", "contact"), ("word", "word")),
    **dict.fromkeys(("neighbours", "stones", "liberties", "contacts"), ("word", "integer")),
    **dict.fromkeys(("beside", "ko"), ("word", "word", "word")),
    "besides": ("word", "word", "integer"),
}
_OF_COUNTED_MOVES: Kinds = {**_OF_BOARDS, "remaining": ("word", "integer")}
_COLOURS: tuple[Colour, ...] = (*PLAYERS, "empty")


class FactBoard(Protocol):
    """A board in compact form (native/fact_columns.hpp), without the player to move."""

    @property
    def rows(self) -> int: ...
    @property
    def columns(self) -> int: ...
    @property
    def has_ko(self) -> bool: ...
    @property
    def ko(self) -> tuple[int, int]:
        """The point that ko forbids, and to which player."""

    @property
    def colours(self) -> list[int]:
        """The places of the points' colours in the order black, white, empty."""

    def colour(self, point: int) -> int:
        """Return the place of a point's colour in this order."""

    def after(self, player: int, point: int) -> FactBoard | None:
        """Return the board after a move, or None if it is illegal."""

    def liberties(self, target: int) -> int:
        """Return the number of liberties of the block at a point."""

    def attempts(self, target: int) -> list[int]:
        """Return the points of the attacker's moves that are worth trying against a block."""

    def replies(self, target: int, zone: Iterable[int]) -> list[int]:
        """Return the points of the defender's moves that change a point of a zone."""

    def ground(self, blocks: Iterable[int], centres: Iterable[int], points: Iterable[int]) -> frozenset[int]:
        """Return some points, others with their neighbours, and some blocks with their surroundings."""

    def ground_of_move(self, player: int, point: int) -> frozenset[int]:
        """Return the points on which the effects of a move depend."""

    def proof_zone(self, target: int, points: Iterable[int]) -> frozenset[int]:
        """Return some points with the attacker's blocks on them and their liberties."""


@cache
def _native() -> Any:
    """Return the compiled module. It is loaded when columns are first written."""
    return import_module("hornbook.theories.go._native")


class GoQuery(NamedTuple):
    """A query about the blocks of a defender, or about the one at a point if it is not -1."""

    board: FactBoard
    defender: int
    point: int
    named: tuple[str, ...]

    @property
    def shape(self) -> Hashable:
        board = self.board
        return board.rows, board.columns, board.has_ko, self.named

    @property
    def kinds(self) -> Kinds:
        return _OF_COUNTED_MOVES if "outlast" in self.named else _OF_BOARDS

    def number_of(self, relation: str) -> tuple[str, int] | None:
        if relation != "liberties" or self.point < 0 or len(self.named) != 1:
            return None
        return self.named[0], self.board.liberties(self.point)

    def rule_query(self) -> RuleQuery:
        state, defender = _board(self.board), PLAYERS[self.defender]
        if self.point < 0:
            games = question.games(state, defender, self.named)
        else:
            games = [Atom(name, (Constant(state.name(self.point)),)) for name in self.named]
        return RuleQuery(question.parts(state, defender, self.named), games)


def compact_texts(texts: Sequence[str]) -> list[FactBoard | None]:
    """Return the boards of diagrams, or None if the adapter must read the text."""
    found: list[FactBoard | None] = _native().read_boards(list(texts))
    return found


def compact_state(state: GoBoard) -> FactBoard:
    ko, banned = (-1, -1) if state.ko is None else (state.ko, PLAYERS.index(state.banned or "black"))
    board: FactBoard = _native().FactBoard(state.rows, state.columns, state.colours, ko, banned)
    return board


def _board(board: FactBoard) -> GoBoard:
    colours = tuple([_COLOURS[each] for each in board.colours])
    return GoBoard(board.rows, board.columns, colours, board.ko[0] if board.has_ko else None)


def queries(board: FactBoard, game: Atom | None, theory: Theory) -> list[GoQuery] | None:
    """Return the queries of `Go.questions` or `Go.question`, or None if the game names no stone."""
    if game is None:
        named = tuple([replies.game.predicate for replies in theory.replies])
        return [GoQuery(board, defender, -1, named) for defender in range(len(PLAYERS))]
    point = places(board.rows, board.columns).get(_name(game))
    if point is None:
        return None
    owner = board.colour(point)
    return [GoQuery(board, owner, point, (game.predicate,))] if owner < len(PLAYERS) else None


def block(of: Sequence[GoQuery], cell: Callable[[str], int]) -> ColumnBlock:
    """Return the facts of queries about boards of one shape. Successive queries often share a board."""
    boards: list[FactBoard] = []
    of_queries: list[int] = []
    for query in of:
        if not boards or query.board is not boards[-1]:
            boards.append(query.board)
        of_queries.append(len(boards) - 1)
    board = of[0].board
    writer = _writer(board.rows, board.columns, cell)
    given, queried = writer.write(
        boards,
        of_queries,
        [query.defender for query in of],
        [query.point for query in of],
        board.has_ko,
    )
    common = _common(writer, not board.has_ko)
    if "outlast" in of[0].named:
        common = {**common, "remaining": _remaining(cell)}
    return ColumnBlock(common, given, dict.fromkeys(of[0].named, queried))


@lru_cache(maxsize=8)
def _writer(rows: int, columns: int, cell: Callable[[str], int]) -> Any:
    """Return the writer of the facts of boards of a shape, with the numbers of all words."""
    names = [cell(str(name)) for name in places(rows, columns)]
    return _native().FactWriter(rows, columns, names, [cell(word) for word in (*_COLOURS, "free", "banned")])


@lru_cache(maxsize=8)
def _common(writer: Any, with_ko: bool) -> Mapping[str, Columns]:  # noqa: FBT001
    """Return the facts of all boards of a shape."""
    common: Mapping[str, Columns] = writer.common(with_ko)
    return common


def _remaining(cell: Callable[[str], int]) -> Columns:
    """Return the facts of how many moves each player has left."""
    players = [cell(player) for player in PLAYERS]
    return [array("q", players).tobytes(), array("q", [question.OUTLASTED] * len(players)).tobytes()]


def _name(game: Atom) -> str:
    term = game.terms[0] if len(game.terms) == 1 else None
    return str(term.value) if isinstance(term, Constant) else ""


@lru_cache(maxsize=64)
def places(rows: int, columns: int) -> dict[str | int, int]:
    """Return the points of boards of this shape by their names, in order."""
    board = _empty(rows, columns)
    return {board.name(point): point for point in board.points()}


@lru_cache(maxsize=10_000)
def point(rows: int, columns: int, name: str) -> int:
    """Return the point of a name. Raise BoardError if boards of this shape have none."""
    return _empty(rows, columns).point(name)


@lru_cache(maxsize=64)
def _empty(rows: int, columns: int) -> GoBoard:
    nothing: Colour = "empty"
    return GoBoard(rows, columns, (nothing,) * (rows * columns))
