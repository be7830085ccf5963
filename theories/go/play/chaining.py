"""The play around a block for chains of matches, on boards in compact form: moves and relevance zones.

A conclusion depends on a set of points, its *ground*: as long as their colours stay the same, its premises
hold. Moves and zones are computed in C++ (native/capture_play.hpp), which does not look ahead and does not
use the reader.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.ast.theory import GroundFact
from hornbook.theories.go.play import columns
from hornbook.theories.go.play.columns import FactBoard, GoQuery
from hornbook.theories.go.states.board import PLAYERS, GoBoard
from hornbook.theories.protocols.columns import ColumnBlock

focus_predicate = "named"
Ground = frozenset[int]
_OF_BLOCKS = frozenset({"same_block", "stones", "liberty", "liberties", "contact", "contacts"})
_WITH_NEIGHBOURS = frozenset({"beside", "besides"})
_EMPTY = len(PLAYERS)
_PLAYERS: dict[str | int, int] = {player: place for place, player in enumerate(PLAYERS)}


def compact(state: GoBoard | FactBoard) -> FactBoard:
    """Return a board in compact form."""
    return columns.compact_state(state) if isinstance(state, GoBoard) else state


def rule_query(state: FactBoard, game: Atom) -> GoQuery:
    """Return the query to the rules about a game."""
    target = _target(state, game)
    return GoQuery(state, state.colour(target), target, (game.predicate,))


def column_block(queries: Sequence[GoQuery], cell: Callable[[str], int]) -> ColumnBlock:
    """Return the facts of queries about boards of one shape."""
    return columns.block(queries, cell)


def after(state: FactBoard, action: GroundFact) -> FactBoard | None:
    """Return the board after a move, or None if it is illegal."""
    return state.after(*_played(state, action))


def is_over(state: FactBoard, game: Atom) -> bool:
    """Return whether the block is captured."""
    return state.colour(_target(state, game)) == _EMPTY


def attempts(state: FactBoard, game: Atom) -> Iterator[GroundFact]:
    """Yield the attacker's moves at the block's liberties, then next to these, and at the
    liberties of weak walls.
    """
    target = _target(state, game)
    moves = _moves(state.rows, state.columns)[1 - state.colour(target)]
    return map(moves.__getitem__, state.attempts(target))


def replies(state: FactBoard, game: Atom, ground: Ground) -> Iterator[GroundFact]:
    """Yield every move of the defender, legal or not, that changes the colour of a point of the ground.

    Moves that run away or capture come first, since they succeed most often.
    """
    target = _target(state, game)
    moves = _moves(state.rows, state.columns)[state.colour(target)]
    return map(moves.__getitem__, state.replies(target, ground))


def ground(state: FactBoard, premises: Iterable[GroundFact]) -> Ground:
    """Return the points of the premises of a conclusion."""
    places = columns.places(state.rows, state.columns)
    blocks, centres, points = set[int](), set[int](), set[int]()
    for relation, values, _ in premises:
        if relation in _OF_BLOCKS:
            blocks.add(places[values[0]])
        elif relation in _WITH_NEIGHBOURS:
            centres.add(places[values[0]])
        elif relation == "colour":
            points.add(places[values[0]])
        elif relation == "ko":
            points.add(places[values[1]])
    return state.ground(blocks, centres, points)


def proof_zone(state: FactBoard, game: Atom, points: Ground) -> Ground:
    """Return the points with the liberties of each attacker's block on them: no move elsewhere
    captures any of it.
    """
    return state.proof_zone(_target(state, game), points)


def ground_of_move(state: FactBoard, action: GroundFact) -> Ground:
    """Return the ground of a move's effects: its point, the neighbours, and captured blocks with
    their surroundings.
    """
    return frozenset() if action.relation == "pass" else state.ground_of_move(*_played(state, action))


@lru_cache(maxsize=64)
def _moves(rows: int, columns_: int) -> list[list[GroundFact]]:
    """Return the moves of each player by their points."""
    names = columns.places(rows, columns_)
    return [[GroundFact("move", (player, name)) for name in names] for player in PLAYERS]


def _played(state: FactBoard, action: GroundFact) -> tuple[int, int]:
    """Return the place of the player of a move, and its point."""
    player, name = action.values
    return _PLAYERS[player], columns.places(state.rows, state.columns)[name]


def _target(state: FactBoard, game: Atom) -> int:
    (term,) = game.terms
    assert isinstance(term, Constant)
    return columns.point(state.rows, state.columns, str(term.value))
