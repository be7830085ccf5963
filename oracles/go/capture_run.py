"""Comparison of the theory of captures with a plain simulator: each derived fact about a move must be true on
the board.

Positions come from random games and from problems. From each, moves and passes of both colours are tried,
legal or not, with a random focus set of points and stones. All facts derived for the position (`before`) and
after the action (`after`) are compared with `capture_truth`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from random import Random

from hornbook.kb.ast.terms import GameStatement, Statement, Tense
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.base.proved_rules import raw_engine
from hornbook.kb.format.printer import print_condition
from hornbook.kb.lower.coding import CodedRuleId
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.theories.go import adapter
from hornbook.theories.go.problems.files import read_problems, shipped
from hornbook.theories.go.states.board import PLAYERS, Colour, GoBoard, Player
from oracles.go.capture_truth import MEANINGS, PRIMITIVE, CaptureTruth
from oracles.go.plain_go import OTHER, play, play_pass
from oracles.sums import Sums

CAPTURE = Path(adapter.__file__).parent / "capture" / "capture.horn"
STATED = frozenset({"named", "defender"})
"""Predicates that a run states about a position besides those of the adapter."""
SIDES = (5, 6, 7, 9)
ACTIONS = 6
"""Number of actions tried from each position."""
_TRIES = 10
"""Number of points examined for a legal move of a random game."""


@dataclass
class CaptureTally(Sums):
    """The results of a run."""

    positions: int = 0
    actions: Counter[str] = field(default_factory=Counter)
    derived: Counter[tuple[str, Tense]] = field(default_factory=Counter)
    """Statements compared with the board, by relation and moment."""
    firings: Counter[str] = field(default_factory=Counter)
    """Number of uses of each rule as the recorded reason."""
    false: list[str] = field(default_factory=list)


Judge = Callable[[GoBoard], CaptureTruth]
"""A function that returns the truth on a board; other parts of the theory need more than captures do."""


def unknown_predicates(theory: Theory, meanings: frozenset[str] = frozenset(MEANINGS)) -> list[str]:
    """Return the predicates that a run cannot compare with a board, or does not state about it."""
    known = meanings | PRIMITIVE | STATED | {fact.relation for fact in theory.facts}
    return [
        p.name
        for p in theory.vocabulary.predicates.values()
        if p.kind in ("static", "fluent", "derived") and p.name not in known
    ]


def run(base: KnowledgeBase, seed: str, positions: int, judge: Judge = CaptureTruth) -> CaptureTally:
    """Try `positions` positions. `base` is the theory without facts, and is unchanged afterwards."""
    random, tally = Random(seed), CaptureTally()
    for _ in range(positions):
        try_position(base, _position(random), random, tally, judge)
    return tally


def try_position(
    base: KnowledgeBase,
    board: GoBoard,
    random: Random,
    tally: CaptureTally,
    judge: Judge = CaptureTruth,
    near: Sequence[int] | None = None,
) -> None:
    """Try a position with the focus points `near`, or with random points that are near each other."""
    tally.positions += 1
    near = near or _near(board, random)
    named = random.sample(near, min(len(near), random.randrange(3, 12)))
    base.push()
    base.add(adapter.facts(board))
    base.add(GroundFact("named", (board.name(point),)) for point in named)
    defenders: tuple[Player, ...] = random.choice((("black",), ("white",), PLAYERS))
    base.add(GroundFact("defender", (player,)) for player in defenders)
    _hold(base, "before", judge(board), "at first", tally)
    for _ in range(ACTIONS):
        _try_action(base, board, named, near, random, tally, judge)
    base.pop()


def _try_action(
    base: KnowledgeBase,
    board: GoBoard,
    named: Sequence[int],
    near: Sequence[int],
    random: Random,
    tally: CaptureTally,
    judge: Judge,
) -> None:
    player, point = random.choice(PLAYERS), _point(board, named, near, random)
    if point is None:
        action, after = GroundFact("pass", (player,)), play_pass(board, player)
        tally.actions["pass"] += 1
    else:
        action = GroundFact("move", (player, board.name(point)))
        played = play(board, player, point)
        tally.actions[_kind(board, player, played)] += 1
        after = board if played is None else played
    legal = point is None or play(board, player, point) is not None
    description = f"{action}, named {' '.join(sorted(map(board.name, named)))}, on {board}"
    base.push()
    try:
        base.add([action])
    except KnowledgeBaseError as problem:
        tally.false.append(f"{problem}: {description}")
    else:
        if legal:
            _hold(base, "after", judge(after), description, tally)
        else:
            tally.false += [f"{fact} after an illegal move: {description}" for fact in _all(base, "after")]
        # The win by an action is a statement about the position before it.
        _hold(base, "before", judge(board), description, tally, of_games=True)
    base.pop()


def _kind(board: GoBoard, player: Player, after: GoBoard | None) -> str:
    """Return the kind of the move that led to a board, if it is legal."""
    if after is None:
        return "illegal move"
    other = OTHER[player]
    return "capture" if after.colours.count(other) < board.colours.count(other) else "quiet move"


def _hold(
    base: KnowledgeBase,
    tense: Tense,
    truth: CaptureTruth,
    description: str,
    tally: CaptureTally,
    *,
    of_games: bool = False,
) -> None:
    for relation in base.relations():
        if relation.tense != tense or (of_games and not isinstance(relation, GameStatement)):
            continue
        for statement in base.engine.statements(relation.relation, tense):
            rule = _rule_of(base, statement)
            if rule is None:
                continue
            tally.derived[statement.relation, tense] += 1
            tally.firings[rule] += 1
            if not truth.holds(statement):
                tally.false.append(f"{print_condition(statement)}: {description}")


def _rule_of(base: KnowledgeBase, statement: Statement) -> str | None:
    """Return the rule that is the recorded reason of a statement, or None for a given one."""
    derivation = raw_engine(base).derivation(base.engine.coding.fact_of(statement))
    if derivation is None:
        return None
    assert isinstance(derivation.rule, CodedRuleId)
    return base.rules[derivation.rule.index].name


def _all(base: KnowledgeBase, tense: Tense) -> Iterator[str]:
    for relation in base.relations():
        if relation.tense == tense:
            yield from map(print_condition, base.engine.statements(relation.relation, tense))


# Positions and moves


@cache
def _problem_boards() -> tuple[GoBoard, ...]:
    return tuple(problem.board for problem in read_problems(shipped("train")))


def _position(random: Random) -> GoBoard:
    """Return a position of a random game, or that of a problem after some random moves."""
    if random.random() < 1 / 4:
        board, plies = random.choice(_problem_boards()), random.randrange(6)
    else:
        side = random.choice(SIDES)
        empty: Colour = "empty"
        board = GoBoard(side, side, (empty,) * side**2)
        plies = random.randrange(side**2 // 3, side**2 * 2)
    player: Player = random.choice(PLAYERS)
    for _ in range(plies):
        tries = (play(board, player, random.choice(board.points())) for _ in range(_TRIES))
        board = next((after for after in tries if after is not None), board)
        player = OTHER[player]
    return board


def _near(board: GoBoard, random: Random) -> list[int]:
    """Return the points around some point."""
    row, column = random.randrange(board.rows), random.randrange(board.columns)
    reach = random.choice((2, 3))
    return [
        point
        for point in board.points()
        if abs(point // board.columns - row) + abs(point % board.columns - column) <= reach
    ]


def _point(board: GoBoard, named: Sequence[int], near: Sequence[int], random: Random) -> int | None:
    """Return the point of an action, or None for a pass.

    Most actions play on a focus point or fill a last liberty; some play on stones.
    """
    chance = random.random()
    if chance < 0.1:
        return None
    if chance < 0.2:
        last = {min(found.liberties) for found in board.blocks if len(found.liberties) == 1}
        return random.choice(sorted(last & set(near) or last or set(near)))
    if chance < 0.65:
        # Only moves on empty points change the board.
        return random.choice([p for p in named if board.colours[p] == "empty"] or list(named))
    return random.choice(near if chance < 0.85 else board.points())


def dented(theory: Theory, label: str, condition: str) -> Theory:
    """Return the theory without one condition of one of its rules."""
    (rule,) = [rule for rule in theory.rules if rule.label == label]
    body = tuple(c for c in rule.body if print_condition(c) != condition)
    assert len(body) == len(rule.body) - 1, f"{label} has no condition `{condition}`"
    rules = tuple(replace(rule, body=body) if r is rule else r for r in theory.rules)
    return replace(theory, rules=rules)
