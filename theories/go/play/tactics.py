"""Guidance for proofs of captures: the results of moves, and the moves worth trying.

The exhaustive reader searches, and only proposes where to look for a proof; rules never depend on it.
"""

from __future__ import annotations

from collections.abc import Iterator

from hornbook.kb.ast.parts import Part, part_of_fact
from hornbook.kb.ast.terms import Atom
from hornbook.kb.ast.theory import GroundFact
from hornbook.theories.go.play import question
from hornbook.theories.go.reader import CaptureSearch, IllegalGoMoveError, play
from hornbook.theories.go.states.board import GoBoard, Player

focus_predicate = "named"


def facts(state: GoBoard, game: Atom, about: frozenset[str | int] | None = None) -> Iterator[Part]:
    """Yield the primitive facts of a board and the focus set, by default the whole board.

    A short body never mentions individual stones of the attacker.
    """
    yield from question.board_parts(state)
    yield part_of_fact(GroundFact("defender", (state.colours[_target(state, game)],)))
    yield from question.named(state, None if about is None else _focus_points(state, game, about))


def _focus_points(state: GoBoard, game: Atom, about: frozenset[str | int]) -> set[int]:
    """Return the empty points of the focus set, and one stone of each relevant block.

    A block is relevant if it is in the focus set, or if it is the defender's and a move on such a
    point would join it.
    """
    target = _target(state, game)
    points = {point for point in state.points() if state.name(point) in about}
    focus = {point for point in points if state.colours[point] == "empty"}
    adjacent = {point for empty in focus for point in state.neighbours(empty)}
    for block in state.blocks:
        joined = adjacent if block.colour == state.colours[target] else set[int]()
        if target in block.stones:
            focus.add(target)
        elif block.stones & (points | joined):
            focus.add(min(block.stones & points or block.stones & joined))
    return focus


WEAK = 2
"""Maximal number of liberties of a weak block of the attacker."""


def wider(state: GoBoard, game: Atom, about: frozenset[str | int]) -> Iterator[frozenset[str | int]]:
    """Yield `about`, then also the attacker's weak blocks next to the target and to its points,
    with their liberties.
    """
    yield about
    target = _target(state, game)
    points = {point for point in state.points() if state.name(point) in about}
    adjacent = {
        point for empty in points if state.colours[empty] == "empty" for point in state.neighbours(empty)
    }
    found = state.blocks
    adjacent |= next(block.contacts for block in found if target in block.stones)
    weak = [
        block
        for block in found
        if block.colour != state.colours[target] and len(block.liberties) <= WEAK and block.stones & adjacent
    ]
    if weak:
        more = {point for block in weak for point in (min(block.stones & adjacent), *block.liberties)}
        yield about | {state.name(point) for point in more}


def after(state: GoBoard, action: GroundFact) -> GoBoard | None:
    """Return the board after a move or a pass, or None if it is illegal."""
    try:
        point = state.point(str(action.values[1])) if action.relation == "move" else None
        return play(state, _player(action.values[0]), point)
    except IllegalGoMoveError:
        return None


def followed(state: GoBoard, game: Atom, action: GroundFact) -> Atom:
    """Return the same game: stones do not move, so it is about the same block after every move."""
    return game


def attempts(state: GoBoard, game: Atom, moves: int) -> Iterator[GroundFact]:
    """Yield the attacker's moves that capture within `moves` own moves, the quickest and nearest first."""
    target = _target(state, game)
    reading = CaptureSearch(state, target)
    needed = reading.moves_needed(moves)
    if needed is None:
        return
    best = reading.best_move(needed)
    quick = [best] if best is not None else []
    others = sorted(reading.winning_moves(needed) - set(quick))
    for point in [*quick, *others][:3]:
        yield GroundFact("move", (reading.attacker, state.name(point)))


def replies(state: GoBoard, game: Atom, about: frozenset[str | int]) -> Iterator[GroundFact]:
    """Yield the defender's moves on points of the focus set, legal or not."""
    defender = state.colours[_target(state, game)]
    for point in state.points():
        if state.colours[point] == "empty" and state.name(point) in about:
            yield GroundFact("move", (defender, state.name(point)))


def _target(state: GoBoard, game: Atom) -> int:
    return state.point(str(game.terms[0].value))  # type: ignore[union-attr]


def _player(word: str | int) -> Player:
    return "black" if word == "black" else "white"
