"""Adapter of Othello: reads positions and states them as primitive facts of `squares.horn`.

The facts describe only the geometry of the board and its discs. `actions` and `step` are a plain
implementation of the rules with which the theory is compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from hornbook.kb.ast.theory import GroundFact
from hornbook.theories.boards.line_records import last_position
from hornbook.theories.othello.states import rules
from hornbook.theories.othello.states.position import DISCS, EMPTY, OthelloPosition, corners, name, place
from hornbook.theories.othello.states.text import parse
from hornbook.theories.othello.states.transcript import is_transcript

STATICS: frozenset[str] = frozenset({"board", "next", "border", "line", "corner_square"})
"""Predicates of the board's geometry. Their facts are the same for every position of one size."""
EMITS: frozenset[str] = STATICS | {"disc", "empty", "empties", "discs", "lead", "to_move", "put", "pass"}
"""Predicates of `facts` and `actions`, about which no rule concludes anything in the current state."""
_WAYS = ("north", "north_east", "east", "south_east", "south", "south_west", "west", "north_west")
_SIDES = {disc: player for player, disc in DISCS.items()}


def read(text: str, name: str) -> OthelloPosition:
    """Return the position of a file: a diagram, a line of squares, a transcript, or the last one of a saved
    game.

    Raises TheoryError (HB005) if it is none of these.
    """
    return parse(text, name) if is_transcript(text) else last_position(text, name, parse, turns)


def facts(state: OthelloPosition) -> Iterator[GroundFact]:
    """Yield the facts of the board and of the position."""
    yield from board(state.size)
    yield from position_facts(state)


@cache
def board(size: int) -> tuple[GroundFact, ...]:
    """Return the facts of a board, which are the same for every position on it."""
    found = [GroundFact("board", (board_name(size),))]
    for square, ways in enumerate(rules.rays(size)):
        here = name(square, size)
        unrelated = set(range(size**2)) - {square}
        for way, ray in zip(_WAYS, ways, strict=True):
            values = (here, way, name(ray[0], size)) if ray else (here, way)
            found.append(GroundFact("next" if ray else "border", values))
            found += [GroundFact("line", (here, name(other, size), way)) for other in ray]
            unrelated -= set(ray)
        found += [GroundFact("line", (here, name(other, size), "none")) for other in sorted(unrelated)]
    return (*found, *(GroundFact("corner_square", (name(square, size),)) for square in corners(size)))


def board_name(size: int) -> str:
    return f"{size}x{size}"


def position_facts(state: OthelloPosition) -> Iterator[GroundFact]:
    """Yield the facts of a position without the board."""
    yield GroundFact("to_move", (state.to_move,))
    for square, cell in enumerate(state.cells):
        here = name(square, state.size)
        yield GroundFact("empty", (here,)) if cell == EMPTY else GroundFact("disc", (here, _SIDES[cell]))
    yield GroundFact("empties", (state.cells.count(EMPTY),))
    for disc, player in _SIDES.items():
        yield GroundFact("discs", (player, state.cells.count(disc)))
        yield GroundFact("lead", (player, rules.difference(state, player)))


def actions(state: OthelloPosition) -> Iterator[GroundFact]:
    """Yield the legal actions of the player to move."""
    if rules.must_pass(state):
        yield GroundFact("pass", (board_name(state.size),))
    for square in rules.places(state, state.to_move):
        yield GroundFact("put", (state.to_move, name(square, state.size)))


def turns(state: OthelloPosition) -> Iterator[tuple[str, OthelloPosition]]:
    """Return the legal moves as text, each with the position after it."""
    for action in actions(state):
        after = step(state, action)
        assert after is not None
        yield written(action), after


def written(action: GroundFact) -> str:
    """Return an action as records have it: a square, or `pass`."""
    return "pass" if action.relation == "pass" else str(action.values[1])


def step(state: OthelloPosition, action: GroundFact) -> OthelloPosition | None:
    """Return the position after an action, or None if it is illegal."""
    match action:
        case GroundFact("pass", (board,)) if board == board_name(state.size):
            return rules.passed(state) if rules.must_pass(state) else None
        case GroundFact("put", (player, str(square))) if player == state.to_move:
            found = place(square, state.size)
            return None if found is None else rules.put(state, found)
        case _:
            return None
