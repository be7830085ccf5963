"""The adapter of Go: from a file to a board, and from a board to the primitive facts of `board.horn`.

It tells what stands on the board and nothing else. It never plays a move, reads a ladder or looks ahead: a
position after a move comes from the theory's rules, or from another file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product, repeat
from typing import Literal

from hornbook.kb.ast.theory import GroundFact, facts_of
from hornbook.theories.go.states.board import PLAYERS, Block, Board, Colour, Player
from hornbook.theories.go.states.diagram import parse_diagram
from hornbook.theories.go.states.sgf import parse_sgf

EMITS: frozenset[str] = frozenset(
    {
        "neighbour", "neighbours",
        "colour", "beside", "besides",
        "same_block", "stones", "liberty", "liberties", "contact", "contacts", "ko",
        "move", "pass",
    }
)  # fmt: skip
"""The predicates that `facts` and `actions` give facts of, and no rule concludes of the state at hand."""

_COLOURS: tuple[Colour, ...] = (*PLAYERS, "empty")


def read(text: str, name: str) -> Board:
    """The position of a file: SGF where the text begins like SGF, otherwise a diagram.

    Raises TheoryError (HB005) where it is neither.
    """
    start = text.lstrip("\ufeff").lstrip()
    return parse_sgf(start, name) if start.startswith("(") else parse_diagram(text, name)


def facts(state: Board) -> Iterator[GroundFact]:
    """What holds on the board: every stone speaks for its block, so each fact is true of points by itself."""
    names = [state.name(point) for point in state.points()]
    for point in state.points():
        beside = [(other, state.colours[other]) for other in state.neighbours(point)]
        yield from beside_facts(names, point, [other for other, _ in beside])
        yield from point_facts(names, point, state.colours[point], beside)
    yield from ko_facts(names, state.ko, state.banned)
    for block in state.blocks:
        yield from block_facts(block, names)


def beside_facts(names: list[str], point: int, beside: Sequence[int]) -> Iterator[GroundFact]:
    """How many neighbours a point has, and which."""
    yield GroundFact("neighbours", (names[point], len(beside)))
    yield from (GroundFact("neighbour", (names[point], names[other])) for other in beside)


def ko_facts(names: list[str], ko: int | None, banned: Player | None) -> Iterator[GroundFact]:
    """Who may not play where for ko, of all points."""
    for point, name in enumerate(names):
        for player in PLAYERS:
            is_banned = point == ko and player == banned
            yield GroundFact("ko", (player, name, "banned" if is_banned else "free"))


def point_facts(
    names: list[str], point: int, own: Colour, beside: list[tuple[int, Colour]]
) -> Iterator[GroundFact]:
    """The colour of a point, its neighbours by colour, and how many there are of each."""
    yield GroundFact("colour", (names[point], own))
    for colour in _COLOURS:
        found = [other for other, there in beside if there == colour]
        yield GroundFact("besides", (names[point], colour, len(found)))
        yield from (GroundFact("beside", (names[point], colour, names[other])) for other in found)


_CLOSED_SETS: tuple[tuple[str, str, Literal["stones", "liberties", "contacts"]], ...] = (
    ("same_block", "stones", "stones"),
    ("liberty", "liberties", "liberties"),
    ("contact", "contacts", "contacts"),
)


def block_facts(block: Block, names: list[str]) -> Iterator[GroundFact]:
    """What every stone of a block says for it."""
    stones = [names[stone] for stone in sorted(block.stones)]
    for member, count, attribute in _CLOSED_SETS:
        points = [names[point] for point in sorted(getattr(block, attribute))]
        yield from facts_of(count, zip(stones, repeat(len(points)), strict=False))
        yield from facts_of(member, product(stones, points))


def actions(state: Board) -> Iterator[GroundFact]:
    """Every action that the position offers, legal or not: a move on each empty point, and the pass.

    Of the player to play where that is known, otherwise of both.
    """
    for player in PLAYERS if state.to_play is None else (state.to_play,):
        yield GroundFact("pass", (player,))
        for point in state.points():
            if state.colours[point] == "empty":
                yield GroundFact("move", (player, state.name(point)))
