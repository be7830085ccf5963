"""The play around a block of Go by a plain implementation, for comparison with that of chains of matches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.ast.theory import GroundFact
from hornbook.theories.go.states.board import Block, GoBoard, Player

WEAK = 2
"""Maximal number of liberties of a weak wall."""
Ground = frozenset[int]
_OF_BLOCKS = frozenset({"same_block", "stones", "liberty", "liberties", "contact", "contacts"})
_OF_POINTS = frozenset({"colour", "beside", "besides"})


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
