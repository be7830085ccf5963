"""Play on a board for who proves blocks safe: what a move leads to, and which moves may make two eyes.

The searching is done here, on the board; rules never come from it, it only says where a proof may be looked for.
Eyes are the small ones that the theory speaks of (`safety.horn`), so that nothing is looked for in vain.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from hornbook.kb.ast.parts import Part, alone, kept
from hornbook.kb.ast.terms import Atom
from hornbook.kb.ast.theory import GroundFact
from hornbook.theories.go.play import question, tactics
from hornbook.theories.go.reader import legal_moves, opponent, play
from hornbook.theories.go.states.board import Block, Board, Player

focus_predicate = "named"
after = tactics.after
LARGEST_EYE = 2
"""Empty points of an eye, at most."""


@dataclass(frozen=True, slots=True)
class Eye:
    """A region that stones of one colour close off: its empty points, and a block that is shut in there."""

    points: frozenset[int]
    shut_in: Block | None
    around: frozenset[int]

    def places(self) -> frozenset[int]:
        """The points by which the theory speaks of it: the empty ones, and a stone of the block beside."""
        return self.points if self.shut_in is None else self.points | {min(self.shut_in.stones)}


@lru_cache(maxsize=20_000)
def eyes(state: Board, target: int) -> tuple[Eye, Eye] | None:
    """Two eyes by which the block on a point is alive without an answer, if the theory knows such."""
    found = state.blocks
    own = next(block for block in found if target in block.stones)
    of_point = {stone: block for block in found for stone in block.stones}
    regions = {eye.points: eye for point in own.liberties if (eye := _eye(state, own, of_point, point))}
    for one, other in combinations(regions.values(), 2):
        points = one.points | other.points
        if all(points <= of_point[stone].liberties for stone in one.around | other.around):
            return one, other
    return None


def _eye(state: Board, own: Block, of_point: dict[int, Block], start: int) -> Eye | None:
    """The region of an empty point, if it is as small as an eye."""
    points, stones, around, waiting = {start}, set[int](), set[int](), [start]
    while waiting:
        for beside in state.neighbours(waiting.pop()):
            colour = state.colours[beside]
            if colour == own.colour:
                around.add(beside)
            elif beside not in points | stones:
                (points if colour == "empty" else stones).add(beside)
                waiting.append(beside)
                if len(points) > LARGEST_EYE:
                    return None
    if not stones:
        return Eye(frozenset(points), None, frozenset(around))
    shut_in = of_point[min(stones)]
    pressing = [stone for stone in state.neighbours(start) if stone in stones]
    if len(points) > 1 or shut_in.stones != stones or len(pressing) != 1:
        return None
    return Eye(frozenset(points), shut_in, frozenset(around))


def saving_moves(state: Board, target: int, moves: int) -> tuple[int | None, ...]:
    """The owner's moves after which so many less make the block safe whatever is done; None is a pass."""
    return _saving(state, target, moves)


@lru_cache(maxsize=20_000)
def _saving(state: Board, target: int, moves: int) -> tuple[int | None, ...]:
    owner = _owner(state, target)
    if moves == 0 or not _has_room(state, target, moves):
        return ()
    found: list[int | None] = [None] if is_saved(play(state, owner, None), target, moves - 1) else []
    near = _near(state, target)
    for point in legal_moves(state, owner):
        if point in near and is_saved(play(state, owner, point), target, moves - 1):
            found.append(point)
    return tuple(found)


@lru_cache(maxsize=20_000)
def is_saved(state: Board, target: int, moves: int) -> bool:
    """Whether the block is safe though the attacker plays first, if its owner has so many moves for that."""
    owner = _owner(state, target)
    if eyes(state, target) is not None:
        return True
    if moves == 0 or not _making(play(state, opponent(owner), None), target, moves):
        return False
    for point in legal_moves(state, opponent(owner)):
        then = play(state, opponent(owner), point)
        if then.colours[target] != owner or not _making(then, target, moves):
            return False
    return True


def _making(state: Board, target: int, moves: int) -> bool:
    return eyes(state, target) is not None or bool(_saving(state, target, moves))


@lru_cache(maxsize=20_000)
def _has_room(state: Board, target: int, moves: int) -> bool:
    """Whether so many stones of the owner, one after the other, could close off two regions as small as eyes."""
    seeds = list(_seeds(state, target, moves))
    return any(
        not one & other and not (one | other) & (filled | also) and len(filled | also) <= moves
        for (one, filled), (other, also) in combinations(seeds, 2)
    )


def _seeds(state: Board, target: int, moves: int) -> Iterator[tuple[frozenset[int], frozenset[int]]]:
    """Regions near a block that may become eyes, each with the empty points beside it that are to be filled."""
    owner = _owner(state, target)
    pressing = {stone: found for found in state.blocks if found.colour != owner for stone in found.stones}
    empty = {
        point: frozenset(p for p in state.neighbours(point) if state.colours[p] == "empty")
        for point in state.points()
    }
    foes = {point: {pressing[p] for p in state.neighbours(point) if p in pressing} for point in empty}
    found: list[tuple[frozenset[int], frozenset[int]]] = []
    for point in _near(state, target):
        if not foes[point]:
            found.append((frozenset({point}), empty[point]))
            pairs = [other for other in empty[point] if not foes[other]]
            found += [
                (frozenset({point, other}), (empty[point] | empty[other]) - {point, other}) for other in pairs
            ]
        elif len(foes[point]) == 1:
            (shut_in,) = foes[point]
            filled = (empty[point] | shut_in.liberties) - {point}
            found.append((shut_in.stones | {point}, filled))
    return (seed for seed in found if len(seed[1]) <= moves)


@lru_cache(maxsize=20_000)
def _near(state: Board, target: int) -> frozenset[int]:
    """The empty points beside the block, beside its owner's blocks that share a liberty with it, and beside these."""
    found = state.blocks
    own = next(block for block in found if target in block.stones)
    points = set(own.liberties)
    for block in found:
        if block.colour == own.colour and block.liberties & own.liberties:
            points |= block.liberties
    points |= {near for point in own.liberties for near in state.neighbours(point)}
    return frozenset(point for point in points if state.colours[point] == "empty")


def _owner(state: Board, target: int) -> Player:
    colour = state.colours[target]
    assert colour != "empty"
    return colour


def facts(state: Board, game: Atom, about: frozenset[str | int] | None = None) -> Iterator[Part]:
    """The primitive facts of a board, and what a reading may speak of: everything, if nothing is said."""
    target = _target(state, game)
    yield from question.board_parts(state)
    yield kept(alone, GroundFact("defender", (_owner(state, target),)))
    yield from question.named(state, None if about is None else _spoken(state, target, about))


def _spoken(state: Board, target: int, about: frozenset[str | int]) -> set[int]:
    """The empty points and the attacker's stones that a reading is about, and the target."""
    owner = _owner(state, target)
    return {target} | {p for p in state.points() if state.colours[p] != owner and state.name(p) in about}


def wider(state: Board, game: Atom, about: frozenset[str | int]) -> Iterator[frozenset[str | int]]:
    """That, with the two eyes that there are; then with what is empty beside it, too."""
    target = _target(state, game)
    pair = eyes(state, target)
    places = frozenset().union(*(eye.places() for eye in pair)) if pair else frozenset[int]()
    yield about | {state.name(point) for point in places}


def followed(state: Board, game: Atom, action: GroundFact) -> Atom:
    """A game is about the same block after every move: its stones stay where they are."""
    return game


def attempts(state: Board, game: Atom, moves: int) -> Iterator[GroundFact]:
    """The owner's moves that may save the block within so many of his; a pass first."""
    target = _target(state, game)
    owner = _owner(state, target)
    for point in saving_moves(state, target, moves)[:3]:
        if point is None:
            yield GroundFact("pass", (owner,))
        else:
            yield GroundFact("move", (owner, state.name(point)))


def replies(state: Board, game: Atom, about: frozenset[str | int]) -> Iterator[GroundFact]:
    """The attacker's moves on such points, legal or not."""
    attacker = opponent(_owner(state, _target(state, game)))
    for point in state.points():
        if state.colours[point] == "empty" and state.name(point) in about:
            yield GroundFact("move", (attacker, state.name(point)))


def _target(state: Board, game: Atom) -> int:
    return state.point(str(game.terms[0].value))  # type: ignore[union-attr]
