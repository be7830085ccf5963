"""The meanings of the predicates of `capture.horn` on a board, implemented without the theory.

A capture search states facts about some points only (`named`), but these must be true on the whole board.
Blocks are flooded anew for every question (`plain_go`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from hornbook.kb.ast.terms import WON, Constant, GameStatement, Statement
from hornbook.theories.go import adapter
from hornbook.theories.go.states.board import PLAYERS, GoBoard, Player
from oracles.go.plain_go import OTHER, block, play, taken_by

Value = str | int


class UnknownPredicateError(AssertionError):
    """A predicate of the theory has no meaning here."""


@dataclass(frozen=True)
class CaptureTruth:
    """A board, and the true facts about its named points."""

    board: GoBoard
    given: frozenset[tuple[str, tuple[Value, ...]]] = field(init=False)
    """The primitive facts as the adapter gives them."""

    def __post_init__(self) -> None:
        facts = frozenset((fact.relation, fact.values) for fact in adapter.facts(self.board))
        object.__setattr__(self, "given", facts)

    def holds(self, statement: Statement) -> bool:
        """Return whether a ground statement is true at its position.

        Raise UnknownPredicateError for unknown predicates.
        """
        values = tuple(term.value for term in statement.terms if isinstance(term, Constant))
        if isinstance(statement, GameStatement):
            return self._is_won(statement)
        if (meaning := self.meanings().get(statement.predicate)) is not None:
            return meaning(self, *values)
        if statement.predicate in PRIMITIVE:
            return (statement.predicate, values) in self.given
        raise UnknownPredicateError(
            f"`{statement.predicate}` has no meaning in {__file__}: say there when it is true"
        )

    def meanings(self) -> Mapping[str, Callable[..., bool]]:
        return MEANINGS

    def _is_won(self, statement: GameStatement) -> bool:
        """Return whether a capture is won at once: without learned rules nothing else is concluded."""
        if (statement.game.predicate, statement.value) != ("take", WON):
            raise UnknownPredicateError(f"`{statement.game.predicate}` of value {statement.value}")
        (target,) = self.points(statement.game.terms)
        if statement.by is None:
            return any(self._takes(target, point) for point in self.board.points())
        player, point = statement.by.terms
        return self.colour(target) == OTHER[player_of(player.value)] and self._takes(  # type: ignore[union-attr]
            target, *self.points([point])
        )

    def _takes(self, target: int, point: int) -> bool:
        colour = self.board.colours[target]
        if colour == "empty":
            return False
        after = play(self.board, OTHER[colour], point)
        return after is not None and after.colours[target] == "empty"

    # Common terms of the meanings

    def points(self, terms: object) -> Iterator[int]:
        yield from (self.board.point(term.value) for term in terms)  # type: ignore[attr-defined]

    def colour(self, point: int) -> str:
        return self.board.colours[point]

    def stones(self, point: int) -> set[int]:
        """Return the stones of the block at a point."""
        return block(self.board, list(self.board.colours), point)[0]

    def liberties(self, point: int) -> set[int]:
        """Return the liberties of the block at a point; none for an empty point."""
        return block(self.board, list(self.board.colours), point)[1] if self.is_stone(point) else set()

    def is_stone(self, point: int) -> bool:
        return self.board.colours[point] != "empty"

    def adjacent(self, point: int, colour: str) -> set[int]:
        return {other for other in self.board.neighbours(point) if self.board.colours[other] == colour}

    def walls(self, stone: int) -> set[int]:
        """Return the opponent's stones adjacent to the block of a stone."""
        other = OTHER[player_of(self.colour(stone))]
        return {wall for own in self.stones(stone) for wall in self.adjacent(own, other)}

    def joined(self, point: int, *stones: int) -> set[int]:
        """Return the liberties of a new stone that joins the blocks of the given stones and takes nothing."""
        return set().union(self.adjacent(point, "empty"), *map(self.liberties, stones)) - {point}


def player_of(word: Value) -> Player:
    assert word in PLAYERS
    return word


def of_points(*places: int) -> Callable[[Callable[..., bool]], Callable[..., bool]]:
    """Return a decorator of meanings that replaces names in statements by points."""

    def decorate(meaning: Callable[..., bool]) -> Callable[..., bool]:
        def of_names(truth: CaptureTruth, *values: Value) -> bool:
            read = [
                truth.board.point(str(value)) if place in places else value
                for place, value in enumerate(values)
            ]
            return meaning(truth, *read)

        return of_names

    return decorate


@of_points(0)
def _firm(truth: CaptureTruth, stone: int, least: int) -> bool:
    return truth.is_stone(stone) and all(len(truth.liberties(wall)) >= least for wall in truth.walls(stone))


@of_points(0, 1)
def _firm_unless(truth: CaptureTruth, stone: int, point: int, least: int) -> bool:
    return (
        truth.is_stone(stone)
        and not truth.is_stone(point)
        and all(
            len(truth.liberties(wall)) >= least or point in truth.liberties(wall)
            for wall in truth.walls(stone)
        )
    )


@of_points(0)
def _guard(truth: CaptureTruth, point: int, colour: Player, least: int) -> bool:
    return not truth.is_stone(point) and all(
        len(truth.liberties(stone)) >= least for stone in truth.adjacent(point, colour)
    )


@of_points(0, 2)
def _guard_unless(truth: CaptureTruth, point: int, colour: Player, other: int, least: int) -> bool:
    return (
        not truth.is_stone(point)
        and not truth.is_stone(other)
        and all(
            len(truth.liberties(stone)) >= least or other in truth.liberties(stone)
            for stone in truth.adjacent(point, colour)
        )
    )


@of_points(0, 1)
def _firm_but(truth: CaptureTruth, stone: int, weak: int, least: int) -> bool:
    return (
        truth.is_stone(stone)
        and truth.colour(weak) == OTHER[player_of(truth.colour(stone))]
        and all(len(truth.liberties(wall)) >= least for wall in truth.walls(stone) - truth.stones(weak))
    )


@of_points(0, 2)
def _guard_but(truth: CaptureTruth, point: int, colour: Player, weak: int, least: int) -> bool:
    return (
        not truth.is_stone(point)
        and truth.colour(weak) == colour
        and all(
            len(truth.liberties(stone)) >= least
            for stone in truth.adjacent(point, colour) - truth.stones(weak)
        )
    )


@of_points(0, 1)
def _strong_with(truth: CaptureTruth, point: int, stone: int, least: int) -> bool:
    return point in truth.liberties(stone) and len(truth.joined(point, stone)) >= least


@of_points(0, 1, 2)
def _strong_with_two(truth: CaptureTruth, point: int, one: int, other: int, least: int) -> bool:
    return (
        point in truth.liberties(one) & truth.liberties(other)
        and truth.colour(one) == truth.colour(other)
        and len(truth.joined(point, one, other)) >= least
    )


@of_points(1)
def _strong(truth: CaptureTruth, colour: Player, point: int, least: int) -> bool:
    if truth.is_stone(point):
        return False
    after, _ = taken_by(truth.board, colour, point)
    return len(block(truth.board, after, point)[1]) >= least


@of_points(0, 2)
def _spared(truth: CaptureTruth, point: int, colour: Player, move: int, least: int) -> bool:
    if truth.is_stone(point) or truth.is_stone(move) or point == move:
        return False
    after, _ = taken_by(truth.board, colour, move)
    strong = {stone for stone in truth.adjacent(point, colour) if len(truth.liberties(stone)) >= least}
    strong |= {move} & set(truth.board.neighbours(point))
    return all(len(block(truth.board, after, stone)[1]) >= least for stone in strong)


@of_points(1)
def _playable(truth: CaptureTruth, colour: Player, point: int) -> bool:
    return play(truth.board, colour, point) is not None


@of_points(0, 1)
def _only(truth: CaptureTruth, point: int, stone: int) -> bool:
    return (
        not truth.is_stone(point)
        and truth.is_stone(stone)
        and truth.adjacent(point, truth.colour(stone)) <= truth.stones(stone)
    )


@of_points(0, 1, 2)
def _pair(truth: CaptureTruth, point: int, one: int, other: int) -> bool:
    return (
        not truth.is_stone(point)
        and truth.is_stone(one)
        and truth.colour(one) == truth.colour(other)
        and truth.adjacent(point, truth.colour(one)) <= truth.stones(one) | truth.stones(other)
    )


@of_points(0, 1, 2, 3)
def _three(truth: CaptureTruth, point: int, one: int, other: int, third: int) -> bool:
    stones = (one, other, third)
    return (
        not truth.is_stone(point)
        and truth.is_stone(one)
        and len({truth.colour(stone) for stone in stones}) == 1
        and truth.adjacent(point, truth.colour(one)) <= set().union(*map(truth.stones, stones))
    )


@of_points(0, 1)
def _firm_apart(truth: CaptureTruth, stone: int, point: int) -> bool:
    return (
        truth.is_stone(stone)
        and not truth.is_stone(point)
        and all(point not in truth.liberties(wall) for wall in truth.walls(stone))
    )


@of_points(0, 2)
def _guard_apart(truth: CaptureTruth, point: int, colour: Player, other: int) -> bool:
    return (
        not truth.is_stone(point)
        and not truth.is_stone(other)
        and all(other not in truth.liberties(stone) for stone in truth.adjacent(point, colour))
    )


@of_points(0, 1)
def _clear(truth: CaptureTruth, stone: int, point: int) -> bool:
    return truth.is_stone(stone) and not truth.is_stone(point) and point not in truth.liberties(stone)


@of_points(0, 1)
def _strong_through(truth: CaptureTruth, later: int, first: int, least: int) -> bool:
    if truth.is_stone(later) or first not in truth.adjacent(later, "empty"):
        return False
    return len((truth.joined(later) | truth.joined(first)) - {later, first}) >= least


@of_points(0, 1, 2)
def _strong_through_with(truth: CaptureTruth, later: int, first: int, stone: int, least: int) -> bool:
    if truth.is_stone(later) or first not in truth.liberties(stone):
        return False
    return len((truth.joined(later) | truth.joined(first, stone)) - {later, first}) >= least


@of_points(0, 1)
def _unharmed(truth: CaptureTruth, point: int, move: int, colour: Player) -> bool:
    if truth.is_stone(move):
        return False
    return not taken_by(truth.board, OTHER[colour], move)[1] & truth.adjacent(point, colour)


@of_points(1)
def _airless(truth: CaptureTruth, colour: Player, stone: int) -> bool:
    return truth.is_stone(stone) and (truth.colour(stone) == colour) == (len(truth.liberties(stone)) == 1)


@of_points(1)
def _legal(truth: CaptureTruth, colour: Player, point: int) -> bool:
    return play(truth.board, colour, point) is not None


@of_points(1)
def _illegal(truth: CaptureTruth, colour: Player, point: int) -> bool:
    return play(truth.board, colour, point) is None


PRIMITIVE = frozenset(
    {"colour", "same_block", "stones", "liberty", "liberties", "contact", "contacts", "beside", "besides",
     "ko", "neighbour", "neighbours"}
)  # fmt: skip
"""The predicates that the adapter gives."""
MEANINGS: Mapping[str, Callable[..., bool]] = {
    "firm": _firm,
    "firm_unless": _firm_unless,
    "guard": _guard,
    "guard_unless": _guard_unless,
    "firm_but": _firm_but,
    "guard_but": _guard_but,
    "firm_apart": _firm_apart,
    "guard_apart": _guard_apart,
    "clear": _clear,
    "strong_through": _strong_through,
    "strong_through_with": _strong_through_with,
    "strong_with": _strong_with,
    "strong_with_two": _strong_with_two,
    "strong": _strong,
    "spared": _spared,
    "playable": _playable,
    "only": _only,
    "pair": _pair,
    "three": _three,
    "unharmed": _unharmed,
    "airless": _airless,
    "legal": _legal,
    "illegal": _illegal,
}
"""The meaning of each derived predicate, by its name."""
