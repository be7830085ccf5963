"""Queries of learned rules about a board: its facts and its games."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

from hornbook.kb.ast.parts import Part, Rows, cached_part, facts_in, rows_of
from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.ast.theory import GroundFact
from hornbook.theories.go import adapter
from hornbook.theories.go.states.board import PLAYERS, Block, Colour, GoBoard, Player
from hornbook.theories.go.states.step import step

focus_predicate = "named"
WEAK = 2
"""Maximal number of liberties of a weak wall."""
OUTLASTED = 5
"""Number of the attacker's moves that a block is to outlast in queries: the horizon of problems."""
_NAMED = ("named", None)


def parts(state: GoBoard, defender: str | int, games: Iterable[str] = ()) -> Sequence[Part]:
    """Return the facts of a board where the blocks of a player are to be captured; the focus set
    is the whole board. Moves are counted if one of the games is about outlasting them.

    There is a part for each point with its neighbours, and one for each block, so that boards with few
    differences share most parts.
    """
    return [
        cached_part(_of_shape, state.rows, state.columns),
        cached_part(_of_defender, defender),
        cached_part(_of_ko, state.rows, state.columns, state.ko, state.banned),
        *([remaining(player, OUTLASTED) for player in PLAYERS] if "outlast" in games else ()),
        *_of_points(_of_point, state),
        *_of_blocks(state),
    ]


def board_parts(state: GoBoard) -> list[Part]:
    """Return the adapter's facts of a board in order: a part for each point and one for each block."""
    return [
        *_of_points(_of_point_and_neighbours, state),
        cached_part(_of_ko, state.rows, state.columns, state.ko, state.banned),
        *_of_blocks(state),
    ]


def named(state: GoBoard, points: Iterable[int] | None) -> Iterator[Part]:
    """Yield the focus set, a part for each point; by default all points."""
    if points is None:
        yield cached_part(_all_named, state.rows, state.columns)
        return
    for point in sorted(points):
        yield cached_part(_of_named, state.name(point))


def remaining(attacker: Player, moves: int) -> Part:
    """Return the fact of how many moves the attacker has left."""
    return cached_part(_of_remaining, attacker, moves)


def _of_remaining(attacker: Player, moves: int) -> Rows:
    return {("remaining", None): [(attacker, moves)]}


def _of_points(make: Callable[..., Rows], state: GoBoard) -> Iterator[Part]:
    columns, colours = state.columns, state.colours
    lines = [(), *(colours[i : i + columns] for i in range(0, len(colours), columns)), ()]
    for row, (below, line, above) in enumerate(zip(lines, lines[1:], lines[2:], strict=False)):
        yield from _of_line(make, state.rows, row, line, below, above)


def _of_blocks(state: GoBoard) -> Iterator[Part]:
    return (cached_part(_of_block, state.rows, state.columns, block) for block in state.blocks)


@lru_cache(maxsize=100_000)
def _of_line(
    make: Callable[..., Rows],
    rows: int,
    row: int,
    line: Sequence[Colour],
    below: Sequence[Colour],
    above: Sequence[Colour],
) -> tuple[Part, ...]:
    """Return the parts of the points of a row, by the colours of its points and their neighbours (None
    outside the board).
    """
    columns = len(line)
    outside: tuple[None, ...] = (None,) * columns
    points = range(row * columns, (row + 1) * columns)
    left, right = (None, *line[:-1]), (*line[1:], None)
    surroundings = zip(points, line, below or outside, left, right, above or outside, strict=True)
    return tuple(cached_part(make, rows, columns, *each) for each in surroundings)


@lru_cache(maxsize=64)
def _names(rows: int, columns: int) -> list[str]:
    board = _empty(rows, columns)
    return [board.name(point) for point in board.points()]


@lru_cache(maxsize=64)
def _neighbour_names(rows: int, columns: int) -> list[list[str]]:
    board, names = _empty(rows, columns), _names(rows, columns)
    return [[names[other] for other in board.neighbours(point)] for point in board.points()]


@lru_cache(maxsize=64)
def _of_shape(rows: int, columns: int) -> Rows:
    """Return the constant facts of boards of this shape, with all points in the focus set."""
    neighbours = zip(_names(rows, columns), _neighbour_names(rows, columns), strict=True)
    fixed = (fact for each in neighbours for fact in facts_in(adapter.neighbour_rows(*each)))
    return {**rows_of(fixed), **_all_named(rows, columns)}


def _all_named(rows: int, columns: int) -> Rows:
    """Return the focus set of all points of boards of this shape."""
    return {_NAMED: [(name,) for name in _names(rows, columns)]}


def _of_named(name: str) -> Rows:
    return {_NAMED: [(name,)]}


def _of_defender(defender: str | int) -> Rows:
    return {("defender", None): [(defender,)]}


def _of_ko(rows: int, columns: int, ko: int | None, banned: Player | None) -> Rows:
    return adapter.ko_rows(_names(rows, columns), ko, banned)


def _of_point(rows: int, columns: int, point: int, colour: Colour, *adjacent: Colour | None) -> Rows:
    name, others = _names(rows, columns)[point], _neighbour_names(rows, columns)[point]
    return adapter.point_rows(name, colour, others, [each for each in adjacent if each is not None])


def _of_point_and_neighbours(
    rows: int, columns: int, point: int, colour: Colour, *adjacent: Colour | None
) -> Rows:
    name, others = _names(rows, columns)[point], _neighbour_names(rows, columns)[point]
    return {**adapter.neighbour_rows(name, others), **_of_point(rows, columns, point, colour, *adjacent)}


def _of_block(rows: int, columns: int, block: Block) -> Rows:
    return adapter.block_rows(block, _names(rows, columns))


@lru_cache(maxsize=64)
def _empty(rows: int, columns: int) -> GoBoard:
    colour: Colour = "empty"
    return GoBoard(rows, columns, (colour,) * (rows * columns))


def defender_of(state: GoBoard, game: Atom) -> str | int:
    """Return the owner of the block of a game."""
    return state.colours[_target(state, game)]


def games(state: GoBoard, defender: str | int, named: Iterable[str] = ("take",)) -> list[Atom]:
    """Return the capture of each block of a player, or the other games about it."""
    return [
        Atom(name, (Constant(state.name(min(block.stones))),))
        for block in state.blocks
        if block.colour == defender
        for name in named
    ]


def after(state: GoBoard, action: GroundFact, to_play: Player | None = None) -> GoBoard | None:
    """Return the board after a move, or None if it is illegal. The next player is `to_play`, if known."""
    return step(state, _player(action.values[0]), state.point(str(action.values[1])), to_play)


def _target(state: GoBoard, game: Atom) -> int:
    (term,) = game.terms
    assert isinstance(term, Constant)
    return state.point(str(term.value))


def _player(word: Colour | str | int) -> Player:
    return "black" if word == "black" else "white"
