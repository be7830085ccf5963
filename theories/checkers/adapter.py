"""Adapter of checkers: reads positions and states them as primitive facts of `squares.horn`.

The facts describe only the geometry of the board and its pieces. `actions` and `step` are a plain
implementation of the rules with which the theory is compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.sources import files
from hornbook.theories.checkers.states import pdn, rules
from hornbook.theories.checkers.states.position import (
    MOST,
    PLAYERS,
    SQUARES,
    CheckersPosition,
    last_row,
    owner,
)
from hornbook.theories.checkers.states.text import has_moves, parse

STATICS: frozenset[str] = frozenset({"next", "border", "becomes", "number"})
"""Predicates of the board's geometry. Their facts are the same for every position."""
EMITS: frozenset[str] = STATICS | {"piece", "holds", "empty", "pieces", "to_move", "going", "step", "jump"}
"""Predicates of `facts` and `actions`, about which no rule concludes anything in the current state."""
NOBODY = "none"
_WAYS = ("north_east", "south_east", "south_west", "north_west")


def name(at: int) -> str:
    """Return the theory's name of a square: s1 to s32."""
    return f"s{at + 1}"


_PLACES = {name(at): at for at in range(SQUARES)}


def read(text: str, name: str) -> CheckersPosition:
    """Return the position of a file: a diagram, a line of FEN, or the end of a game in PDN.

    Raises TheoryError (HB005) if it is none of these.
    """
    return parse(text, name)


def game_starts(text: str, name: str) -> Sequence[int]:
    """Return the offset of each game of PDN. Raises TheoryError (HB005)."""
    return pdn.game_starts(text, name) if has_moves(text) else [0]


def decode(data: bytes, name: str) -> str:
    """Return the text of a file in UTF-8, or in Latin-1 as in old PDN files.

    Raise TheoryError (HB004, HB005).
    """
    return files.decode(data, name, otherwise="latin-1")


def facts(state: CheckersPosition) -> Iterator[GroundFact]:
    """Yield the facts of the board and of the position."""
    yield from board()
    yield from position_facts(state)


@cache
def board() -> tuple[GroundFact, ...]:
    """Return the facts of the board, which are the same for every position."""
    found = [GroundFact("number", (pieces,)) for pieces in range(MOST + 1)]
    for at in range(SQUARES):
        for way, neighbour in zip(_WAYS, rules.neighbours(at), strict=True):
            if neighbour is None:
                found.append(GroundFact("border", (name(at), way)))
            else:
                found.append(GroundFact("next", (name(at), way, name(neighbour))))
        for player in PLAYERS:
            crowned = "king" if at in last_row(player) else "man"
            found.append(GroundFact("becomes", (player, "man", name(at), crowned)))
            found.append(GroundFact("becomes", (player, "king", name(at), "king")))
    return tuple(found)


def position_facts(state: CheckersPosition) -> Iterator[GroundFact]:
    """Yield the facts of a position without the board."""
    yield GroundFact("to_move", (state.to_move,))
    yield GroundFact("going", (NOBODY if state.going is None else name(state.going),))
    for at, cell in enumerate(state.cells):
        player = owner(cell)
        if player is None:
            yield GroundFact("empty", (name(at),))
        else:
            yield GroundFact("piece", (name(at), player, "king" if cell.isupper() else "man"))
            yield GroundFact("holds", (player, name(at)))
    for player in PLAYERS:
        yield GroundFact("pieces", (player, len(rules.pieces_of(state, player))))


def actions(state: CheckersPosition) -> Iterator[GroundFact]:
    """Yield the legal actions of the player to move. A jump over one piece is one action."""
    for kind, legal in (("step", rules.steps(state)), ("jump", rules.jumps(state))):
        for at, to in legal:
            yield GroundFact(kind, (state.to_move, name(at), name(to)))


def step(state: CheckersPosition, action: GroundFact) -> CheckersPosition | None:
    """Return the position after an action, or None if it is illegal."""
    match action:
        case GroundFact("step" | "jump", (player, str(at), str(to))) if player == state.to_move:
            if at not in _PLACES or to not in _PLACES:
                return None
            played = rules.stepped if action.relation == "step" else rules.jumped
            return played(state, _PLACES[at], _PLACES[to])
        case _:
            return None


def squares(action: GroundFact) -> tuple[int, int]:
    """Return the start and the target of a step or jump."""
    _, at, to = action.values
    return _PLACES[str(at)], _PLACES[str(to)]
