"""Guidance for proofs that blocks outlast an attack: the results of moves, and the owner's moves to try.

The bounds computed here only propose where to look for a proof; rules never depend on them. They are those of
the theory (`outlasting.horn`), so that every proposal can succeed.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from hornbook.kb.ast.parts import Part, part_of_fact
from hornbook.kb.ast.terms import Atom
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.text.dataclass import dataclass
from hornbook.theories.go.play import question, tactics
from hornbook.theories.go.reader import opponent
from hornbook.theories.go.states.board import Block, GoBoard, Player

focus_predicate = "named"


@dataclass(frozen=True, slots=True)
class LimitedAttack:
    """A board, and the number of moves that the attacker of a block has left."""

    board: GoBoard
    attacker: Player
    moves: int


@dataclass(frozen=True, slots=True)
class Room:
    """Numbers of liberties of a block: now, with a move of its owner, and with two of his moves.

    Each is a lower bound after the moves, since captures are not counted.
    """

    now: int
    with_one: dict[int, int]
    with_two: dict[tuple[int, int], int]


@lru_cache(maxsize=50_000)
def room(board: GoBoard, target: int) -> Room:
    """Return the numbers of liberties of a block."""
    own = next(block for block in board.blocks if target in block.stones)
    of_stone = {
        stone: block for block in board.blocks if block.colour == own.colour for stone in block.stones
    }
    one: dict[int, int] = {}
    two: dict[tuple[int, int], int] = {}
    for move in own.liberties:
        reached = own.liberties | _gained(board, of_stone, move)
        one[move] = len(reached - {move})
        for other in reached - {move}:
            two[move, other] = len((reached | _gained(board, of_stone, other)) - {move, other})
    return Room(len(own.liberties), one, two)


def _gained(board: GoBoard, of_stone: dict[int, Block], move: int) -> frozenset[int]:
    """Return the empty points beside a move, and the liberties of the blocks that it joins."""
    beside = board.neighbours(move)
    joined = [of_stone[point].liberties for point in beside if point in of_stone]
    return frozenset(point for point in beside if board.colours[point] == "empty").union(*joined)


def saving_moves(state: LimitedAttack, target: int) -> list[int | None]:
    """Return the owner's moves after which the bounds show that the block outlasts the attack.

    The simplest come first. None is a pass.
    """
    bounds, needed = room(state.board, target), state.moves + 1
    found: list[int | None] = [None] if bounds.now >= needed else []
    found += sorted(move for move, number in bounds.with_one.items() if number >= needed)
    for move in sorted(bounds.with_one):
        others = [other for (first, other), n in bounds.with_two.items() if first == move and n >= needed]
        if bounds.with_one[move] < needed and len(others) > 1:
            found.append(move)
    return found


def outlasts(state: LimitedAttack, target: int) -> bool:
    """Return whether the bounds show that the block outlasts the attack with the attacker to move."""
    bounds, needed = room(state.board, target), state.moves + 1
    if state.moves == 0 or bounds.now >= needed:
        return True
    points = {*bounds.with_one, *(other for _, other in bounds.with_two)}
    return all(_answers(bounds, needed, point) for point in points)


def _answers(bounds: Room, needed: int, taken: int) -> bool:
    """Return whether some move of the owner remains if the attacker takes a point."""
    for move, number in bounds.with_one.items():
        others = [
            other
            for (first, other), n in bounds.with_two.items()
            if first == move and other != taken and n >= needed
        ]
        if move != taken and (number >= needed or len(others) > 1):
            return True
    return False


def facts(state: LimitedAttack, game: Atom, about: frozenset[str | int] | None = None) -> Iterator[Part]:
    """Yield the facts of a board, the moves that the attacker has left, and the focus set.

    By default this is the whole board.
    """
    board, target = state.board, _target(state, game)
    yield from question.board_parts(board)
    yield part_of_fact(GroundFact("defender", (opponent(state.attacker),)))
    yield question.remaining(state.attacker, state.moves)
    points = None if about is None else {target, *(p for p in board.points() if board.name(p) in about)}
    yield from question.named(board, points)


def after(state: LimitedAttack, action: GroundFact) -> LimitedAttack | None:
    """Return the position after a move or a pass, or None if it is illegal."""
    board = tactics.after(state.board, action)
    if board is None:
        return None
    counted = action.values[0] == state.attacker
    return LimitedAttack(board, state.attacker, state.moves - counted)


def followed(state: LimitedAttack, game: Atom, action: GroundFact) -> Atom:
    """Return the same game: stones do not move, so it is about the same block after every move."""
    return game


def attempts(state: LimitedAttack, game: Atom, moves: int) -> Iterator[GroundFact]:
    """Yield the owner's moves that may outlast the attack; a pass comes first."""
    owner = opponent(state.attacker)
    for point in saving_moves(state, _target(state, game))[:3]:
        if point is None:
            yield GroundFact("pass", (owner,))
        else:
            yield GroundFact("move", (owner, state.board.name(point)))


def wider(state: LimitedAttack, game: Atom, about: frozenset[str | int]) -> Iterator[frozenset[str | int]]:
    """Yield `about`, then also the liberties of the block, then the points that further moves reach."""
    yield about
    bounds = room(state.board, _target(state, game))
    if bounds.now > state.moves:
        return
    near = about | {state.board.name(point) for point in bounds.with_one}
    yield near
    yield near | {state.board.name(point) for _, point in bounds.with_two}


def replies(state: LimitedAttack, game: Atom, about: frozenset[str | int]) -> Iterator[GroundFact]:
    """Yield a pass of the attacker, and his moves on points of the focus set, legal or not."""
    board = state.board
    yield GroundFact("pass", (state.attacker,))
    for point in board.points():
        if board.colours[point] == "empty" and board.name(point) in about:
            yield GroundFact("move", (state.attacker, board.name(point)))


def _target(state: LimitedAttack, game: Atom) -> int:
    return state.board.point(str(game.terms[0].value))  # type: ignore[union-attr]
