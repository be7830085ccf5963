"""Comparison of the transitions of the theory of Go with a plain simulator: true and derived facts after a
move.

Positions come from random games on boards of many sizes. From each, a legal move of either player, an illegal
one and sometimes a pass are tried. All facts derived after the action must be true (`false` stays empty), and
as many true facts as possible should be derived (`missing` counts the others by relation and kind of move).
The compiled moves of `hornbook.theories.go.reader` check the simulator itself.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.frames import breaches
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.theories.go import adapter, reader
from hornbook.theories.go.states.board import PLAYERS, GoBoard, Player
from oracles.go.plain_go import OTHER, block, legal_moves, play, play_pass, taken_by

RELATIONS = (
    "colour", "beside", "besides", "same_block", "stones", "liberty", "liberties", "contact", "contacts",
    "ko",
    "legal", "illegal",
)  # fmt: skip
SIDES = range(5, 20)
_POSITIONS_PER_GAME = 15
_TRIES = 12
"""Number of points examined for a move that captures or joins."""

Values = tuple[str | int, ...]


class GoTransition(NamedTuple):
    """A position, an action (a pass if it has no point), and the next position.

    None for an illegal action.
    """

    board: GoBoard
    player: Player
    point: int | None
    after: GoBoard | None

    @property
    def action(self) -> GroundFact:
        if self.point is None:
            return GroundFact("pass", (self.player,))
        return GroundFact("move", (self.player, self.board.name(self.point)))

    @property
    def kind(self) -> str:
        """Return the kind of action: how many own blocks it joins, and how many blocks it takes."""
        if self.point is None:
            return "pass"
        if self.after is None:
            return "illegal"
        return f"joins {_blocks(self, self.player)}, takes {_blocks(self, OTHER[self.player])}"


def _blocks(case: GoTransition, player: Player) -> int:
    """Return the number of a player's blocks next to the move; of the opponent, only the captured ones."""
    assert case.point is not None
    assert case.after is not None
    board = case.board
    adjacent = [point for point in board.neighbours(case.point) if board.colours[point] == player]
    if player != case.player:
        adjacent = [point for point in adjacent if case.after.colours[point] == "empty"]
    return len({min(block(board, list(board.colours), point)[0]) for point in adjacent})


class Cost(NamedTuple):
    """Seconds for a number of positions, and further seconds for a number of actions there."""

    positions: int = 0
    actions: int = 0
    before: float = 0.0
    after: float = 0.0

    def plus(self, other: Cost) -> Cost:
        return Cost(
            self.positions + other.positions,
            self.actions + other.actions,
            self.before + other.before,
            self.after + other.after,
        )


@dataclass
class TransitionTally:
    """The results of a run."""

    positions: int = 0
    concluded: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    true: Counter[str] = field(default_factory=Counter)
    missing: Counter[tuple[str, str]] = field(default_factory=Counter)
    """True facts that were not derived, by relation and kind of action."""
    false: list[str] = field(default_factory=list)
    not_framed: list[str] = field(default_factory=list)
    """Changes that violate a frame."""
    disputed: list[str] = field(default_factory=list)
    """Actions on which the two simulators differ."""
    cost: dict[int, Cost] = field(default_factory=dict)
    """Costs by the longer side of the board."""

    def add(self, other: TransitionTally) -> None:
        self.positions += other.positions
        self.concluded += other.concluded
        self.kinds += other.kinds
        self.true += other.true
        self.missing += other.missing
        self.false += other.false
        self.not_framed += other.not_framed
        self.disputed += other.disputed
        for side, cost in other.cost.items():
            self.spend(side, cost)

    def spend(self, side: int, cost: Cost) -> None:
        self.cost[side] = self.cost.get(side, Cost()).plus(cost)


def run(base: KnowledgeBase, seed: str, positions: int, sides: range = SIDES) -> TransitionTally:
    """Try `positions` positions. `base` is the theory without facts, and is unchanged afterwards."""
    random, tally = Random(seed), TransitionTally()
    found = 0
    while found < positions:
        for board in _game(random, sides):
            if found < positions:
                found += 1
                try_position(base, board, random, tally)
    return tally


def try_position(base: KnowledgeBase, board: GoBoard, random: Random, tally: TransitionTally) -> None:
    tally.positions += 1
    base.push()
    began = time.perf_counter()
    base.add(adapter.facts(board))
    side = max(board.rows, board.columns)
    tally.spend(side, Cost(positions=1, before=time.perf_counter() - began))
    for case in _cases(board, random):
        tally.kinds[case.kind] += 1
        base.push()
        began = time.perf_counter()
        base.add([case.action])
        tally.spend(side, Cost(actions=1, after=time.perf_counter() - began))
        _hold(base, case, tally)
        base.pop()
    base.pop()


def _hold(base: KnowledgeBase, case: GoTransition, tally: TransitionTally) -> None:
    given = [] if case.after is None else list(adapter.facts(case.after))
    true = _true(case.after, given)
    if not _undisputed(case, true["legal"]):
        tally.disputed.append(f"{case.action} on {case.board}")
    for relation in RELATIONS:
        derived = {fact.values for fact in base.facts(relation, "after")}
        tally.concluded += len(derived)
        tally.true[relation] += len(true[relation])
        tally.missing[relation, case.kind] += len(true[relation] - derived)
        tally.false += [
            f"{relation}{values} after {case.action} on {case.board}" for values in derived - true[relation]
        ]
    if case.after is not None:
        tally.not_framed += [
            f"{breach} after {case.action} on {case.board}" for breach in breaches(base, given)
        ]


def _undisputed(case: GoTransition, legal: set[Values]) -> bool:
    """Return whether the compiled simulator agrees about an action and the legal moves after it."""
    try:
        after = reader.play(case.board, case.player, case.point)
    except reader.IllegalGoMoveError:
        return case.after is None
    moves = {(player, after.name(point)) for player in PLAYERS for point in reader.legal_moves(after, player)}
    return after == case.after and moves == legal


def _true(board: GoBoard | None, given: list[GroundFact]) -> dict[str, set[Values]]:
    """Return all true facts of a board by relation: those of its adapter, and the legal moves."""
    true: dict[str, set[Values]] = defaultdict(set)
    for fact in given:
        true[fact.relation].add(fact.values)
    if board is not None:
        legal = legal_moves(board)
        for player in PLAYERS:
            for point in board.points():
                relation = "legal" if (player, point) in legal else "illegal"
                true[relation].add((player, board.name(point)))
    return true


# Positions and moves


def _game(random: Random, sides: range) -> Iterator[GoBoard]:
    """Yield some positions of a random game; one board in five is not square."""
    rows = random.choice(sides)
    columns = random.choice(sides) if random.random() < 1 / 5 else rows
    board = GoBoard(rows, columns, ("empty",) * (rows * columns))
    plies = random.randrange(1, rows * columns * 5 // 4)
    player: Player = "black"
    for _ in range(plies):
        move = _move(board, player, random, 1 / 5)
        board = play_pass(board, player) if move is None else move.after or board
        player = OTHER[player]
        if random.random() < _POSITIONS_PER_GAME / plies or board.ko is not None:
            yield board


def _cases(board: GoBoard, random: Random) -> Iterator[GoTransition]:
    """Yield a legal move, an illegal one, and sometimes a pass, each of any player."""
    legal = _move(board, random.choice(PLAYERS), random, 2 / 3)
    if legal is not None:
        yield legal
    illegal = _illegal(board, random)
    if illegal is not None:
        yield illegal
    if random.random() < 1 / 5:
        player = random.choice(PLAYERS)
        yield GoTransition(board, player, None, play_pass(board, player))


def _move(board: GoBoard, player: Player, random: Random, liveliness: float) -> GoTransition | None:
    """Return a legal move.

    It is any move or, with probability `liveliness`, the one among several that takes or joins most.
    """
    lively = random.random() < liveliness
    points = [point for point in board.points() if board.colours[point] == "empty"]
    random.shuffle(points)
    if lively:
        last = {min(found.liberties) for found in board.blocks if len(found.liberties) == 1}
        points.sort(key=lambda point: point not in last)
    found: list[GoTransition] = []
    for point in points:
        after = play(board, player, point)
        if after is not None:
            found.append(GoTransition(board, player, point, after))
        if found and (not lively or len(found) == _TRIES):
            break
    return max(found, key=_liveliness) if found else None


def _liveliness(case: GoTransition) -> tuple[int, int]:
    assert case.point is not None
    own = [p for p in case.board.neighbours(case.point) if case.board.colours[p] == case.player]
    return len(taken_by(case.board, case.player, case.point)[1]), len(own)


def _illegal(board: GoBoard, random: Random) -> GoTransition | None:
    """Return an illegal move, on an empty point if there is such a move."""
    points = list(board.points())
    random.shuffle(points)
    points.sort(key=lambda point: board.colours[point] != "empty")
    for point in points:
        player = random.choice(PLAYERS)
        if play(board, player, point) is None:
            return GoTransition(board, player, point, None)
    return None
