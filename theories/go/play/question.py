"""Queries of learned rules about a board: its facts, candidate moves, and relevant replies.

A conclusion depends on a set of points, its *ground*: as long as their colours stay the same, its premises
hold. This module does not look ahead and does not use the reader.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

from hornbook.kb.ast.parts import Part, Rows, cached_part, facts_in, rows_of
from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.ast.theory import GroundFact
from hornbook.theories.go import adapter
from hornbook.theories.go.states.board import Block, Colour, GoBoard, Player
from hornbook.theories.go.states.step import step

focus_predicate = "named"
WEAK = 2
"""Maximal number of liberties of a weak wall."""
Ground = frozenset[int]
_NAMED = ("named", None)
_OF_BLOCKS = frozenset({"same_block", "stones", "liberty", "liberties", "contact", "contacts"})
_OF_POINTS = frozenset({"colour", "beside", "besides"})


def parts(state: GoBoard, defender: str | int) -> Sequence[Part]:
    """Return the facts of a board where the blocks of a player are to be captured; the focus set
    is the whole board.

    There is a part for each point with its neighbours, and one for each block, so that boards with few
    differences share most parts.
    """
    return [
        cached_part(_of_shape, state.rows, state.columns),
        cached_part(_of_defender, defender),
        cached_part(_of_ko, state.rows, state.columns, state.ko, state.banned),
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


def is_over(state: GoBoard, game: Atom) -> bool:
    """Return whether the block is captured."""
    return state.colours[_target(state, game)] == "empty"


def attempts(state: GoBoard, game: Atom) -> Iterator[GroundFact]:
    """Yield the attacker's moves at the block's liberties, then next to these, and at the
    liberties of weak walls.
    """
    target = _target(state, game)
    found = state.blocks
    own = next(block for block in found if target in block.stones)
    walls = (block.liberties for block in found if block.stones & own.contacts)
    near = {neighbour for liberty in own.liberties for neighbour in state.neighbours(liberty)}
    near |= {point for liberties in walls if len(liberties) <= WEAK for point in liberties}
    attacker: Player = "white" if own.colour == "black" else "black"
    for point in (*sorted(own.liberties), *sorted(near - own.liberties)):
        if state.colours[point] == "empty":
            yield GroundFact("move", (attacker, state.name(point)))


def replies(state: GoBoard, game: Atom, ground: Ground) -> Iterator[GroundFact]:
    """Yield every move of the defender, legal or not, that changes the colour of a point of the ground.

    Moves that run away or capture come first, since they succeed most often.
    """
    target = _target(state, game)
    defender = state.colours[target]
    found = state.blocks
    own = next(block.liberties for block in found if target in block.stones)
    captures = frozenset().union(
        *(
            block.liberties
            for block in found
            if block.colour != defender and len(block.liberties) == 1 and block.stones & ground
        )
    )
    for point in sorted(ground | captures, key=lambda p: (p not in own, p not in captures, p)):
        if state.colours[point] == "empty":
            yield GroundFact("move", (defender, state.name(point)))


def ground(state: GoBoard, premises: Iterable[GroundFact]) -> Ground:
    """Return the points of the premises of a conclusion."""
    found: set[int] = set()
    of_point = {stone: block for block in state.blocks for stone in block.stones}
    for fact in premises:
        if fact.relation in _OF_BLOCKS:
            found |= _around(of_point[state.point(str(fact.values[0]))])
        elif fact.relation in _OF_POINTS:
            point = state.point(str(fact.values[0]))
            found |= {point} if fact.relation == "colour" else {point, *state.neighbours(point)}
        elif fact.relation == "ko":
            found.add(state.point(str(fact.values[1])))
    return frozenset(found)


def proof_zone(state: GoBoard, game: Atom, points: Ground) -> Ground:
    """Return the points with the liberties of each attacker's block on them: no move elsewhere
    captures any of it.
    """
    defender = state.colours[_target(state, game)]
    walls = [b for b in state.blocks if b.colour != defender and b.stones & points]
    return points.union(*(block.stones | block.liberties for block in walls))


def ground_of_move(state: GoBoard, action: GroundFact) -> Ground:
    """Return the ground of a move's effects: its point, the neighbours, and captured blocks with
    their surroundings.
    """
    if action.relation == "pass":
        return frozenset()
    point, player = state.point(str(action.values[1])), action.values[0]
    captured = [b for b in state.blocks if b.colour != player and b.liberties == {point}]
    return frozenset({point, *state.neighbours(point)}.union(*map(_around, captured)))


def _around(block: Block) -> frozenset[int]:
    return block.stones | block.liberties | block.contacts


def _target(state: GoBoard, game: Atom) -> int:
    (term,) = game.terms
    assert isinstance(term, Constant)
    return state.point(str(term.value))


def _player(word: Colour | str | int) -> Player:
    return "black" if word == "black" else "white"
