"""Adapter of sliding tiles: reads positions and states them as primitive facts of `tiles.horn`.

The facts describe only the geometry of the board and its tiles. `actions` and `step` are a plain
implementation of the rules with which the theory is compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from hornbook.kb.ast.theory import GroundFact
from hornbook.theories.boards.line_records import last_position
from hornbook.theories.tiles.states import rules
from hornbook.theories.tiles.states.position import BLANK, TilesPosition, name
from hornbook.theories.tiles.states.text import parse

STATICS: frozenset[str] = frozenset({"beside", "far"})
"""Predicates of the board's geometry. Their facts are the same for every position of one size."""
EMITS: frozenset[str] = STATICS | {"place", "blank", "distance", "slide"}
"""Predicates of `facts` and `actions`, about which no rule concludes anything in the current state."""


def read(text: str, name: str) -> TilesPosition:
    """Return the position of a file, or the last one of a game that `play` saved.

    Raises TheoryError (HB005) if it is neither, or if the position cannot be solved.
    """
    return last_position(text, name, parse, turns)


def facts(state: TilesPosition) -> Iterator[GroundFact]:
    """Yield the facts of the board and of the position."""
    yield from board(state.rows, state.columns)
    yield from position_facts(state)


@cache
def board(rows: int, columns: int) -> tuple[GroundFact, ...]:
    """Return the facts of a board, which are the same for every position on it."""
    found = []
    for square in range(rows * columns):
        here = name(square, columns)
        found += [
            GroundFact("beside", (here, name(s, columns))) for s in rules.neighbours(square, rows, columns)
        ]
        for tile in range(1, rows * columns):
            found.append(GroundFact("far", (tile, here, rules.far(tile, square, columns))))
    return tuple(found)


def position_facts(state: TilesPosition) -> Iterator[GroundFact]:
    """Yield the facts of a position without the board."""
    for square, tile in enumerate(state.tiles):
        here = name(square, state.columns)
        yield GroundFact("blank", (here,)) if tile == BLANK else GroundFact("place", (tile, here))
    yield GroundFact("distance", (rules.distance(state),))


def actions(state: TilesPosition) -> Iterator[GroundFact]:
    """Yield the legal slides. There are none if the puzzle is solved."""
    if not rules.is_solved(state):
        yield from (GroundFact("slide", (tile,)) for tile in rules.movable_tiles(state))


def turns(state: TilesPosition) -> Iterator[tuple[str, TilesPosition]]:
    """Return the legal moves as text, each with the position after it."""
    if not rules.is_solved(state):
        yield from ((str(tile), rules.slid(state, tile)) for tile in rules.movable_tiles(state))


def step(state: TilesPosition, action: GroundFact) -> TilesPosition | None:
    """Return the position after an action, or None if it is illegal."""
    match action:
        case GroundFact("wait", ("player",)):
            return state
        case GroundFact("slide", (int(tile),)) if action in actions(state):
            return rules.slid(state, tile)
        case _:
            return None
