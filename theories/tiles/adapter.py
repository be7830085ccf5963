"""The adapter of sliding tiles: from a file to a position, and from a position to the primitive facts of `tiles.horn`.

It tells the geometry of the board and what lies there, and nothing else; `actions` and `step` are plain play, which the
theory is compared with.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from hornbook.kb.ast.theory import GroundFact
from hornbook.theories.boards.line_records import last_position
from hornbook.theories.tiles.states import rules
from hornbook.theories.tiles.states.position import BLANK, Position, name
from hornbook.theories.tiles.states.text import parse

STATICS: frozenset[str] = frozenset({"beside", "far"})
"""The predicates that say what the board is like; their facts are the same for every position of one size."""
EMITS: frozenset[str] = STATICS | {"place", "blank", "distance", "slide"}
"""The predicates that `facts` and `actions` give facts of, and no rule concludes of the state at hand."""


def read(text: str, name: str) -> Position:
    """The position of a file, or the last one of a game that `play` saved.

    Raises TheoryError (HB005) if it is neither, or if the position cannot be solved.
    """
    return last_position(text, name, parse, turns)


def facts(state: Position) -> Iterator[GroundFact]:
    """The board, and what holds on it."""
    yield from board(state.rows, state.columns)
    yield from position_facts(state)


@cache
def board(rows: int, columns: int) -> tuple[GroundFact, ...]:
    """The facts of a board itself, the same for every position on it."""
    found = []
    for square in range(rows * columns):
        here = name(square, columns)
        found += [GroundFact("beside", (here, name(s, columns))) for s in rules.beside(square, rows, columns)]
        for tile in range(1, rows * columns):
            found.append(GroundFact("far", (tile, here, rules.far(tile, square, columns))))
    return tuple(found)


def position_facts(state: Position) -> Iterator[GroundFact]:
    """What holds in a position, without the board."""
    for square, tile in enumerate(state.tiles):
        here = name(square, state.columns)
        yield GroundFact("blank", (here,)) if tile == BLANK else GroundFact("place", (tile, here))
    yield GroundFact("distance", (rules.distance(state),))


def actions(state: Position) -> Iterator[GroundFact]:
    """The slides that are legal: none where the puzzle is solved."""
    if not rules.is_solved(state):
        yield from (GroundFact("slide", (tile,)) for tile in rules.beside_the_blank(state))


def turns(state: Position) -> Iterator[tuple[str, Position]]:
    """The legal moves as text, each with the position after it."""
    if not rules.is_solved(state):
        yield from ((str(tile), rules.slid(state, tile)) for tile in rules.beside_the_blank(state))


def step(state: Position, action: GroundFact) -> Position | None:
    """The position after an action; None where it is illegal."""
    match action:
        case GroundFact("wait", ("player",)):
            return state
        case GroundFact("slide", (int(tile),)) if action in actions(state):
            return rules.slid(state, tile)
        case _:
            return None
