"""Adapter of Abalone: reads positions and states them as primitive facts of `cells.horn`.

The facts describe only the geometry of the board and its marbles. `actions` and `step` are a plain
implementation of the rules with which the theory is compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from hornbook.kb.ast.theory import GroundFact
from hornbook.theories.abalone.states import rules
from hornbook.theories.abalone.states.position import EMPTY, MARBLES, NAMES, PLAYERS, WAYS, AbalonePosition
from hornbook.theories.abalone.states.rules import LINES, NEXT, Move, Push, SideStep
from hornbook.theories.abalone.states.text import parse
from hornbook.theories.boards.line_records import last_position

STATICS: frozenset[str] = frozenset({"next", "border"})
"""Predicates of the board's geometry. Their facts are the same for every position."""
EMITS: frozenset[str] = STATICS | {"marble", "empty", "marbles", "to_move", "push", "step"}
"""Predicates of `facts` and `actions`, about which no rule concludes anything in the current state."""
_PLAYERS = {marble: player for player, marble in MARBLES.items()}


def read(text: str, name: str) -> AbalonePosition:
    """Return the position of a file, or the last one of a game that `play` saved.

    Raises TheoryError (HB005) if it is neither.
    """
    return last_position(text, name, parse, turns)


def facts(state: AbalonePosition) -> Iterator[GroundFact]:
    """Yield the facts of the board and of the position."""
    yield from board()
    yield from position_facts(state)


@cache
def board() -> tuple[GroundFact, ...]:
    """Return the facts of the board, which are the same for every position."""
    found = []
    for (name, way), neighbour in NEXT.items():
        found.append(
            GroundFact("border", (name, way))
            if neighbour is None
            else GroundFact("next", (name, way, neighbour))
        )
    return tuple(found)


def position_facts(state: AbalonePosition) -> Iterator[GroundFact]:
    """Yield the facts of a position without the board."""
    yield GroundFact("to_move", (state.to_move,))
    for name, cell in zip(NAMES, state.cells, strict=True):
        yield GroundFact("empty", (name,)) if cell == EMPTY else GroundFact("marble", (name, _PLAYERS[cell]))
    for player in PLAYERS:
        yield GroundFact("marbles", (player, state.cells.count(MARBLES[player])))


def actions(state: AbalonePosition) -> Iterator[GroundFact]:
    """Yield the legal actions of the player to move."""
    return (action_of(state, move) for move in rules.moves(state))


def action_of(state: AbalonePosition, move: Move) -> GroundFact:
    if isinstance(move, Push):
        return GroundFact("push", (state.to_move, move.cell, move.way))
    return GroundFact("step", (state.to_move, move.cell, move.line, move.marbles, move.way))


def turns(state: AbalonePosition) -> Iterator[tuple[str, AbalonePosition]]:
    """Return the legal moves as text, each with the position after it."""
    for move in rules.moves(state):
        after = rules.after(state, move)
        assert after is not None
        yield written(state, move), after


def written(state: AbalonePosition, move: Move) -> str:
    """Return a move as records have it: its first cell, for a step its last cell, and the cell that the first
    one enters.
    """
    if isinstance(move, Push):
        return f"{move.cell}{NEXT[move.cell, move.way]}"
    own = rules.row(state.cells, move.cell, move.line, MARBLES[state.to_move])
    return f"{move.cell}{own[move.marbles - 1]}{NEXT[move.cell, move.way]}"


def move_of(action: GroundFact) -> Move | None:
    """Return the move of an action, legal or not, or None if the action is not a move."""
    match action:
        case GroundFact("push", (str(_), str(cell), str(way))) if way in WAYS:
            return Push(cell, way)
        case GroundFact("step", (str(_), str(cell), str(line), int(marbles), str(way))):
            return SideStep(cell, line, marbles, way) if line in LINES and way in WAYS else None
        case _:
            return None


def step(state: AbalonePosition, action: GroundFact) -> AbalonePosition | None:
    """Return the position after an action, or None if it is illegal."""
    move = move_of(action)
    return None if move is None or action.values[0] != state.to_move else rules.after(state, move)
