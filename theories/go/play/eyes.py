"""Guidance for proofs that blocks are safe: the results of moves, and the moves that may make two eyes.

This search on the board only proposes where to look for a proof; rules never depend on it. It considers only
the small eyes of the theory (`safety.horn`), so that every proposal can succeed.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations

from hornbook.kb.ast.parts import Part, part_of_fact
from hornbook.kb.ast.terms import Atom
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.text.dataclass import dataclass
from hornbook.theories.go.play import question, tactics
from hornbook.theories.go.reader import legal_moves, opponent, play
from hornbook.theories.go.states.board import Block, GoBoard, Player

focus_predicate = "named"
after = tactics.after
LARGEST_EYE = 2
"""Maximal number of empty points of an eye."""


@dataclass(frozen=True, slots=True)
class Eye:
    """Region enclosed by stones of one colour: its empty points, and an opponent's block inside."""

    points: frozenset[int]
    shut_in: Block | None
    around: frozenset[int]

    def places(self) -> frozenset[int]:
        """Return the points that represent the eye in the theory: the empty ones, and a stone
        of the block inside.
        """
        return self.points if self.shut_in is None else self.points | {min(self.shut_in.stones)}


@lru_cache(maxsize=20_000)
def eyes(state: GoBoard, target: int) -> tuple[Eye, Eye] | None:
    """Return two eyes that make the block on a point alive without an answer, or None."""
    found = state.blocks
    own = next(block for block in found if target in block.stones)
    of_point = {stone: block for block in found for stone in block.stones}
    regions = {eye.points: eye for point in own.liberties if (eye := _eye(state, own, of_point, point))}
    for one, other in combinations(regions.values(), 2):
        points = one.points | other.points
        if all(points <= of_point[stone].liberties for stone in one.around | other.around):
            return one, other
    return None


def _eye(state: GoBoard, own: Block, of_point: dict[int, Block], start: int) -> Eye | None:
    """Return the region of an empty point, or None if it is too large for an eye."""
    points, stones, around, waiting = {start}, set[int](), set[int](), [start]
    while waiting:
        for neighbour in state.neighbours(waiting.pop()):
            colour = state.colours[neighbour]
            if colour == own.colour:
                around.add(neighbour)
            elif neighbour not in points | stones:
                (points if colour == "empty" else stones).add(neighbour)
                waiting.append(neighbour)
                if len(points) > LARGEST_EYE:
                    return None
    if not stones:
        return Eye(frozenset(points), None, frozenset(around))
    shut_in = of_point[min(stones)]
    pressing = [stone for stone in state.neighbours(start) if stone in stones]
    if len(points) > 1 or shut_in.stones != stones or len(pressing) != 1:
        return None
    return Eye(frozenset(points), shut_in, frozenset(around))


def saving_moves(state: GoBoard, target: int, moves: int) -> tuple[int | None, ...]:
    """Return the owner's moves after which `moves - 1` further ones make the block safe against every reply.

    None is a pass.
    """
    return _saving(state, target, moves)


@lru_cache(maxsize=20_000)
def _saving(state: GoBoard, target: int, moves: int) -> tuple[int | None, ...]:
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
def is_saved(state: GoBoard, target: int, moves: int) -> bool:
    """Return whether the block is safe with the attacker playing first, if its owner has `moves` moves."""
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


def _making(state: GoBoard, target: int, moves: int) -> bool:
    return eyes(state, target) is not None or bool(_saving(state, target, moves))


@lru_cache(maxsize=20_000)
def _has_room(state: GoBoard, target: int, moves: int) -> bool:
    """Return whether `moves` successive stones of the owner could enclose two regions as small as eyes."""
    seeds = list(_seeds(state, target, moves))
    return any(
        not one & other and not (one | other) & (filled | also) and len(filled | also) <= moves
        for (one, filled), (other, also) in combinations(seeds, 2)
    )


def _seeds(state: GoBoard, target: int, moves: int) -> Iterator[tuple[frozenset[int], frozenset[int]]]:
    """Yield regions near a block that may become eyes, each with the adjacent empty points to fill."""
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
def _near(state: GoBoard, target: int) -> frozenset[int]:
    """Return the empty points next to the block, next to blocks that share a liberty with it, and
    next to these points.
    """
    found = state.blocks
    own = next(block for block in found if target in block.stones)
    points = set(own.liberties)
    for block in found:
        if block.colour == own.colour and block.liberties & own.liberties:
            points |= block.liberties
    points |= {near for point in own.liberties for near in state.neighbours(point)}
    return frozenset(point for point in points if state.colours[point] == "empty")


def _owner(state: GoBoard, target: int) -> Player:
    colour = state.colours[target]
    assert colour != "empty"
    return colour


def facts(state: GoBoard, game: Atom, about: frozenset[str | int] | None = None) -> Iterator[Part]:
    """Yield the primitive facts of a board and the focus set, by default the whole board."""
    target = _target(state, game)
    yield from question.board_parts(state)
    yield part_of_fact(GroundFact("defender", (_owner(state, target),)))
    yield from question.named(state, None if about is None else _focus_points(state, target, about))


def _focus_points(state: GoBoard, target: int, about: frozenset[str | int]) -> set[int]:
    """Return the empty points and the attacker's stones in the focus set, and the target."""
    owner = _owner(state, target)
    return {target} | {p for p in state.points() if state.colours[p] != owner and state.name(p) in about}


def wider(state: GoBoard, game: Atom, about: frozenset[str | int]) -> Iterator[frozenset[str | int]]:
    """Yield `about` with the two existing eyes, then also with the empty points next to it."""
    target = _target(state, game)
    pair = eyes(state, target)
    places = frozenset().union(*(eye.places() for eye in pair)) if pair else frozenset[int]()
    yield about | {state.name(point) for point in places}


def followed(state: GoBoard, game: Atom, action: GroundFact) -> Atom:
    """Return the same game: stones do not move, so it is about the same block after every move."""
    return game


def attempts(state: GoBoard, game: Atom, moves: int) -> Iterator[GroundFact]:
    """Yield the owner's moves that may save the block within `moves` own moves; a pass comes first."""
    target = _target(state, game)
    owner = _owner(state, target)
    for point in saving_moves(state, target, moves)[:3]:
        if point is None:
            yield GroundFact("pass", (owner,))
        else:
            yield GroundFact("move", (owner, state.name(point)))


def replies(state: GoBoard, game: Atom, about: frozenset[str | int]) -> Iterator[GroundFact]:
    """Yield the attacker's moves on points of the focus set, legal or not."""
    attacker = opponent(_owner(state, _target(state, game)))
    for point in state.points():
        if state.colours[point] == "empty" and state.name(point) in about:
            yield GroundFact("move", (attacker, state.name(point)))


def _target(state: GoBoard, game: Atom) -> int:
    return state.point(str(game.terms[0].value))  # type: ignore[union-attr]
