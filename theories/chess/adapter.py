"""Adapter of chess: reads positions and states them as primitive facts of `men.horn`.

The facts describe only the geometry of the board and its men, not even attacks. The adapter never
looks ahead. It plays no moves except those of a PGN record: any other position after a move comes from
the theory's rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.sources import files
from hornbook.kb.text.lines import lines_of
from hornbook.theories.chess.states.diagram import parse_diagram
from hornbook.theories.chess.states.fen import parse_fen
from hornbook.theories.chess.states.geometry import geometry
from hornbook.theories.chess.states.pgn import is_pgn, parse_pgn, pgn_starts
from hornbook.theories.chess.states.position import (
    EMPTY,
    KINDS,
    NAMES,
    PLAYERS,
    RIGHTS,
    WINGS,
    ChessPosition,
    Player,
    colour,
)

STATICS: frozenset[str] = frozenset(
    {
        "line", "between", "betweens", "next", "border", "edge", "distance",
        "hop", "hops", "leg", "legless", "step", "steps", "strikes", "striking",
        "advance", "leap", "settled", "impassable", "last", "not_last",
        "lane", "cramps", "nook", "roomy", "range", "ranges",
    }
)  # fmt: skip
"""Predicates of the board's geometry. Their facts are the same for every position."""
_FLUENTS = {"at", "king", "men", "castling", "en_passant", "to_move"}
_RANKS = re.compile(r"[KQRBNPkqrbnp1-8]{1,8}(/[KQRBNPkqrbnp1-8]{1,8}){7}")

EMITS: frozenset[str] = STATICS | _FLUENTS | {"move", "promote"}
"""Predicates of `facts` and `actions`, about which no rule concludes anything in the current state."""


def read(text: str, name: str) -> ChessPosition:
    """Return the position of a file: the last one of a PGN game, FEN on one line with slashes,
    or else a diagram.

    Raises TheoryError (HB005) if it is none of these.
    """
    if is_pgn(text):
        return parse_pgn(text, name).end
    lines = [line.split("%", 1)[0].strip() for line in lines_of(text.lstrip("\ufeff"))]
    is_fen = "/" in next((line for line in lines if line), "")
    return parse_fen(text, name) if is_fen else parse_diagram(text, name)


def game_starts(text: str, name: str) -> Sequence[int]:
    """Return the offset of each game of PGN. Raises TheoryError (HB005)."""
    return pgn_starts(text, name) if is_pgn(text) else [0]


def decode(data: bytes, name: str) -> str:
    """Return the text of a file: UTF-8, or Latin-1 as in PGN. Raise TheoryError (HB004, HB005)."""
    return files.decode(data, name, otherwise="latin-1")


def read_file(path: Path) -> ChessPosition | None:
    """Return the position if a command argument is FEN, or None if it names a file."""
    written = str(path)
    # Eight ranks alone count as incomplete FEN; no file has such a name.
    is_fen = written.count("/") == 7 and (
        re.search(r"\s", written) is not None or _RANKS.fullmatch(written) is not None
    )
    return parse_fen(written) if is_fen and not path.exists() else None


def facts(state: ChessPosition) -> Iterator[GroundFact]:
    """Yield the facts of the board and of the position."""
    yield from board()
    yield from position_facts(state)


@cache
def board() -> tuple[GroundFact, ...]:
    """Return the facts of the board, which are the same for every position."""
    return tuple(geometry())


def position_facts(state: ChessPosition) -> Iterator[GroundFact]:
    """Yield the facts of a position without the board.

    Each square has a fact of each kind, so nothing is absent.
    """
    for place, man in enumerate(state.men):
        yield _at(place, man)
        yield GroundFact("en_passant", (NAMES[place], "open" if place == state.passed else "shut"))
    yield from facts_of_no_square(state)


def facts_of_no_square(state: ChessPosition) -> Iterator[GroundFact]:
    """Yield the facts of the sides: player to move, castling rights, numbers of men, and
    squares of the kings.
    """
    yield GroundFact("to_move", (state.to_move,))
    for right, wing in (*WINGS.items(), *((right.lower(), wing) for right, wing in WINGS.items())):
        player = "white" if right.isupper() else "black"
        yield GroundFact("castling", (player, wing, "kept" if right in state.rights else "lost"))
    for player in PLAYERS:
        own = sum(map(str.isupper if player == "white" else str.islower, state.men))
        yield GroundFact("men", (player, own))
        yield GroundFact("king", (player, NAMES[state.king(player)]))


@cache
def _at(place: int, man: str) -> GroundFact:
    if man == EMPTY:
        return GroundFact("at", (NAMES[place], "none", "empty"))
    return GroundFact("at", (NAMES[place], colour(man), KINDS[man.lower()]))


def actions(state: ChessPosition) -> Iterator[GroundFact]:
    """Yield every action that a man of the player to move could make on an empty board, legal or not."""
    last = 7 if state.to_move == "white" else 0
    for place, man in enumerate(state.men):
        if man == EMPTY or colour(man) != state.to_move:
            continue
        for to in _range(state.to_move, KINDS[man.lower()], NAMES[place]):
            if man in "Pp" and int(to[1]) - 1 == last:
                kinds = ("queen", "rook", "bishop", "knight")
                yield from (GroundFact("promote", (NAMES[place], to, kind)) for kind in kinds)
            else:
                yield GroundFact("move", (NAMES[place], to))


@cache
def _range(player: Player, kind: str, start: str) -> tuple[str, ...]:
    key = (player, kind, start)
    return tuple(str(f.values[3]) for f in board() if f.relation == "range" and f.values[:3] == key)


assert set(WINGS) | {right.lower() for right in WINGS} == set(RIGHTS)
