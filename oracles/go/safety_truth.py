"""The meanings of the predicates of `safety.horn` on a board, implemented without the theory.

Unconditional life is computed as by Benson (1976), by removing blocks and regions until nothing changes. This
works for regions of any size, and uses none of the theory's predicates.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from hornbook.kb.ast.terms import SECOND_PLAYER_WIN, Constant, GameStatement
from hornbook.theories.go.states.board import GoBoard, Player
from oracles.go.capture_truth import MEANINGS as OF_CAPTURES
from oracles.go.capture_truth import CaptureTruth, of_points, player_of
from oracles.go.plain_go import OTHER, block, play, play_pass


def alive(board: GoBoard, owner: Player) -> frozenset[int]:
    """Return the stones of a player that can never be taken, even if he always passes."""
    of_stone: dict[int, frozenset[int]] = {}
    liberties: dict[frozenset[int], set[int]] = {}
    for point in board.points():
        if board.colours[point] == owner and point not in of_stone:
            stones, free = block(board, list(board.colours), point)
            liberties[frozenset(stones)] = free
            of_stone |= dict.fromkeys(stones, frozenset(stones))
    regions = _regions(board, owner)
    blocks = set(liberties)
    while True:
        vital = [r for r in regions if all(of_stone[s] in blocks for s in r.around)]
        left = {
            b
            for b in blocks
            if sum(
                bool(r.around & b)
                and {p for p in r.points if board.colours[p] == "empty"} <= liberties[b]
                for r in vital
            )
            > 1
        }  # fmt: skip
        if left == blocks and len(vital) == len(regions):
            return frozenset().union(*blocks)
        blocks, regions = left, vital


@dataclass(frozen=True)
class Region:
    """Connected points without a stone of a player, and his stones around them."""

    points: frozenset[int]
    around: frozenset[int]


def _regions(board: GoBoard, owner: Player) -> list[Region]:
    found, seen = [], set[int]()
    for start in board.points():
        if board.colours[start] == owner or start in seen:
            continue
        points, around, waiting = {start}, set[int](), [start]
        while waiting:
            for neighbour in board.neighbours(waiting.pop()):
                if board.colours[neighbour] == owner:
                    around.add(neighbour)
                elif neighbour not in points:
                    points.add(neighbour)
                    waiting.append(neighbour)
        seen |= points
        found.append(Region(frozenset(points), frozenset(around)))
    return found


class SafetyTruth(CaptureTruth):
    """A board, and the true facts about safety on it."""

    def meanings(self) -> Mapping[str, Callable[..., bool]]:
        return MEANINGS

    def is_alive(self, stone: int) -> bool:
        return self.is_stone(stone) and stone in alive(self.board, player_of(self.colour(stone)))

    def _is_won(self, statement: GameStatement) -> bool:
        """Return whether a block is safe now, or after a move or a pass.

        Nothing else is concluded without learned rules.
        """
        if statement.game.predicate != "save":
            return super()._is_won(statement)
        (target,) = self.points(statement.game.terms)
        if statement.value == SECOND_PLAYER_WIN:
            return self.is_alive(target)
        owner = self.board.colours[target]
        if owner == "empty":
            return False
        if statement.by is None:
            afters = [play(self.board, owner, point) for point in self.board.points()]
            return any(SafetyTruth(b).is_alive(target) for b in (*afters, self.board) if b is not None)
        after: GoBoard | None = play_pass(self.board, owner)
        if statement.by.predicate == "move":
            after = play(self.board, owner, *self.points(statement.by.terms[1:]))
        return (
            statement.by.terms[0] == Constant(owner)
            and after is not None
            and SafetyTruth(after).is_alive(target)
        )

    def have(self, stones: set[int], *points: int) -> bool:
        """Return whether each of the stones has one of the points as a liberty."""
        return all(set(points) & self.liberties(stone) for stone in stones)


@of_points(0, 1)
def _girt(truth: SafetyTruth, point: int, other: int, colour: Player) -> bool:
    empty = not truth.is_stone(point) and not truth.is_stone(other)
    return empty and truth.have(truth.adjacent(point, colour), other)


@of_points(0, 1, 2)
def _girt_or(truth: SafetyTruth, point: int, one: int, other: int, colour: Player) -> bool:
    empty = not any(map(truth.is_stone, (point, one, other)))
    return empty and truth.have(truth.adjacent(point, colour), one, other)


@of_points(0, 1)
def _liberty_of_walls(truth: SafetyTruth, stone: int, point: int, colour: Player) -> bool:
    fits = truth.colour(stone) == OTHER[colour] and not truth.is_stone(point)
    return fits and truth.have(truth.walls(stone), point)


@of_points(0, 1, 2)
def _liberty_of_walls_or(truth: SafetyTruth, stone: int, one: int, other: int, colour: Player) -> bool:
    fits = truth.colour(stone) == OTHER[colour] and not truth.is_stone(one) and not truth.is_stone(other)
    return fits and truth.have(truth.walls(stone), one, other)


@of_points(0, 1, 2)
def _touching(truth: SafetyTruth, point: int, stone: int, move: int, colour: Player) -> bool:
    fits = truth.colour(stone) == OTHER[colour] and not truth.is_stone(point) and not truth.is_stone(move)
    return fits and all(
        stone in truth.walls(own) or move in truth.liberties(own) for own in truth.adjacent(point, colour)
    )


@of_points(0, 1)
def _reaches(truth: SafetyTruth, point: int, other: int, colour: Player) -> bool:
    return other in truth.joined(point, *truth.adjacent(point, colour))


@of_points(0, 1)
def _eye(truth: SafetyTruth, point: int, other: int, colour: Player) -> bool:
    region = {point} | {other} | (truth.stones(other) if truth.is_stone(other) else set())
    return any(r.points == region for r in _regions(truth.board, colour)) and not truth.is_stone(point)


@of_points(0, 1)
def _edged(truth: SafetyTruth, place: int, point: int, colour: Player) -> bool:
    if truth.is_stone(point):
        return truth.colour(point) == OTHER[colour]
    around = truth.walls(place) if truth.is_stone(place) else truth.adjacent(place, colour)
    return truth.colour(place) != colour and truth.have(around, point)


@of_points(0)
def _alive(truth: SafetyTruth, stone: int) -> bool:
    return truth.is_alive(stone)


MEANINGS = MappingProxyType(
    {
        **OF_CAPTURES,
        "girt": _girt,
        "girt_or": _girt_or,
        "held": _liberty_of_walls,
        "held_or": _liberty_of_walls_or,
        "touching": _touching,
        "reaches": _reaches,
        "eye": _eye,
        "edged": _edged,
        "alive": _alive,
    }
)
"""The meaning of each derived predicate, by its name."""
