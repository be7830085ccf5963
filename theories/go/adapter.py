"""Adapter of Go: reads boards and states them as primitive facts of `board.horn`.

The facts describe only the points, stones and ko of one board. The adapter never plays a move, reads a ladder
or looks ahead: a position after a move comes from the theory's rules, or from another file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from hornbook.kb.ast.parts import Rows, facts_in
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.sources import files
from hornbook.theories.go.states.board import PLAYERS, Block, Colour, GoBoard, Player
from hornbook.theories.go.states.diagram import parse_diagram
from hornbook.theories.go.states.sgf import parse_sgf
from hornbook.theories.go.states.sgf_text import decode_sgf, is_sgf, tree_starts

EMITS: frozenset[str] = frozenset(
    {
        "neighbour", "neighbours",
        "colour", "beside", "besides",
        "same_block", "stones", "liberty", "liberties", "contact", "contacts", "ko",
        "move", "pass",
    }
)  # fmt: skip
"""Predicates of `facts` and `actions`, about which no rule concludes anything in the current state."""

_COLOURS: tuple[Colour, ...] = (*PLAYERS, "empty")
_NEIGHBOURS, _NEIGHBOUR = ("neighbours", None), ("neighbour", None)
_COLOUR, _ADJACENT_COUNTS, _ADJACENT, _KO = (
    ("colour", None),
    ("besides", None),
    ("beside", None),
    ("ko", None),
)
_STONES, _SAME_BLOCK = ("stones", None), ("same_block", None)
_LIBERTIES, _LIBERTY = ("liberties", None), ("liberty", None)
_CONTACTS, _CONTACT = ("contacts", None), ("contact", None)


def read(text: str, name: str) -> GoBoard:
    """Return the position of a file: SGF if the text has a game tree, otherwise a diagram.

    Raises TheoryError (HB005) if it is neither.
    """
    return parse_sgf(text, name) if is_sgf(text) else parse_diagram(text, name)


def game_starts(text: str, name: str) -> Sequence[int]:
    """Return the offset of each game of an SGF collection. Raises TheoryError (HB005)."""
    return tree_starts(text, name) if is_sgf(text) else [0]


def decode(data: bytes, name: str) -> str:
    """Return the text of a file: SGF names its encoding, a diagram is UTF-8. Raise
    TheoryError (HB004, HB005).
    """
    return decode_sgf(data, name) if is_sgf(data.decode("latin-1")) else files.decode(data, name)


def facts(state: GoBoard) -> Iterator[GroundFact]:
    """Yield the facts of a board.

    Every stone has the facts of its block, so each fact is about points only.
    """
    names = [state.name(point) for point in state.points()]
    for point in state.points():
        others = [names[other] for other in state.neighbours(point)]
        colours = [state.colours[other] for other in state.neighbours(point)]
        yield from facts_in(neighbour_rows(names[point], others))
        yield from facts_in(point_rows(names[point], state.colours[point], others, colours))
    yield from facts_in(ko_rows(names, state.ko, state.banned))
    for block in state.blocks:
        yield from facts_in(block_rows(block, names))


def neighbour_rows(name: str, others: Sequence[str]) -> Rows:
    """Return the neighbours of a point and their number."""
    return {_NEIGHBOURS: [(name, len(others))], _NEIGHBOUR: [(name, other) for other in others]}


def ko_rows(names: Sequence[str], ko: int | None, banned: Player | None) -> Rows:
    """Return for all points and players whether simple ko forbids the point."""
    return {
        _KO: [
            (player, name, "banned" if point == ko and player == banned else "free")
            for point, name in enumerate(names)
            for player in PLAYERS
        ]
    }


def point_rows(name: str, own: Colour, others: Sequence[str], colours: Sequence[Colour]) -> Rows:
    """Return the colour of a point, its neighbours by colour, and the number of each colour."""
    adjacent = list(zip(others, colours, strict=True))
    return {
        _COLOUR: [(name, own)],
        _ADJACENT_COUNTS: [(name, colour, colours.count(colour)) for colour in _COLOURS],
        _ADJACENT: [
            (name, colour, other) for colour in _COLOURS for other, there in adjacent if there == colour
        ],
    }


def block_rows(block: Block, names: Sequence[str]) -> Rows:
    """Return the facts of a block for each of its stones: closed sets with their cardinalities."""
    stones, liberties, contacts = (
        [names[point] for point in sorted(each)] for each in (block.stones, block.liberties, block.contacts)
    )
    return {
        _STONES: [(stone, len(stones)) for stone in stones],
        _SAME_BLOCK: list(product(stones, stones)),
        _LIBERTIES: [(stone, len(liberties)) for stone in stones],
        _LIBERTY: list(product(stones, liberties)),
        _CONTACTS: [(stone, len(contacts)) for stone in stones],
        _CONTACT: list(product(stones, contacts)),
    }


def actions(state: GoBoard) -> Iterator[GroundFact]:
    """Yield every action of a position, legal or not: a move on each empty point, and the pass.

    If the player to move is known, only that player's actions are yielded, otherwise those of both.
    """
    for player in PLAYERS if state.to_play is None else (state.to_play,):
        yield GroundFact("pass", (player,))
        for point in state.points():
            if state.colours[point] == "empty":
                yield GroundFact("move", (player, state.name(point)))
