"""The theory of captures against a plain simulator: whatever it derives about a move must be true on the board.

Positions come from random games and from problems; from each, moves and passes of both colours are tried, legal or
not, while the reading speaks of a random set of points and stones. All that is derived of the position (`before`) and
after the action (`after`) is held against `capture_truth`.
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
from hornbook.kb.base.proved_rules import engine_of
from hornbook.kb.format.printer import print_condition
from hornbook.kb.lower.coding import CodedRuleId
from hornbook.kb.lower.faults import KnowledgeBaseError
from hornbook.theories.go import adapter
from hornbook.theories.go.problems.files import read_problems, shipped
from hornbook.theories.go.states.board import PLAYERS, Board, Colour, Player
from oracles.go.capture_truth import MEANINGS, PRIMITIVE, Truth
from oracles.go.plain_go import OTHER, play, play_pass
from oracles.sums import Sums

CAPTURE = Path(adapter.__file__).parent / "capture" / "capture.horn"
SAID = frozenset({"named", "defender"})
"""What a run says of a position besides the adapter."""
SIDES = (5, 6, 7, 9)
ACTIONS = 6
"""How many actions are tried from each position."""
_TRIES = 10
"""Points looked at for a legal move of a random game."""


@dataclass
class Tally(Sums):
    """What came of a run."""

    positions: int = 0
    actions: Counter[str] = field(default_factory=Counter)
    derived: Counter[tuple[str, Tense]] = field(default_factory=Counter)
    """Statements that were held against the board, by relation and moment."""
    firings: Counter[str] = field(default_factory=Counter)
    """How often each rule was the recorded reason."""
    false: list[str] = field(default_factory=list)


Judge = Callable[[Board], Truth]
"""What is true on a board; of another part of the theory, more than what captures need."""


def unknown_predicates(theory: Theory, meanings: frozenset[str] = frozenset(MEANINGS)) -> list[str]:
    """Predicates that a run could not hold against a board, or would not say of it."""
    known = meanings | PRIMITIVE | SAID | {fact.relation for fact in theory.facts}
    return [
        p.name
        for p in theory.vocabulary.predicates.values()
        if p.kind in ("static", "fluent", "derived") and p.name not in known
    ]


def run(base: KnowledgeBase, seed: str, positions: int, judge: Judge = Truth) -> Tally:
    """Tries so many positions. `base` is the theory without facts, and is left so."""
    random, tally = Random(seed), Tally()
    for _ in range(positions):
        try_position(base, _position(random), random, tally, judge)
    return tally


def try_position(
    base: KnowledgeBase,
    board: Board,
    random: Random,
    tally: Tally,
    judge: Judge = Truth,
    near: Sequence[int] | None = None,
) -> None:
    """Tries a position, about some points near each other: those, if any are said."""
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
    board: Board,
    named: Sequence[int],
    near: Sequence[int],
    random: Random,
    tally: Tally,
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
    told = f"{action}, named {' '.join(sorted(map(board.name, named)))}, on {board}"
    base.push()
    try:
        base.add([action])
    except KnowledgeBaseError as problem:
        tally.false.append(f"{problem}: {told}")
    else:
        if legal:
            _hold(base, "after", judge(after), told, tally)
        else:
            tally.false += [f"{fact} after an illegal move: {told}" for fact in _all(base, "after")]
        # What an action wins is said of the position before it.
        _hold(base, "before", judge(board), told, tally, of_games=True)
    base.pop()


def _kind(board: Board, player: Player, after: Board | None) -> str:
    """What sort of move has led to a board, if it is legal."""
    if after is None:
        return "illegal move"
    other = OTHER[player]
    return "capture" if after.colours.count(other) < board.colours.count(other) else "quiet move"


def _hold(
    base: KnowledgeBase, tense: Tense, truth: Truth, told: str, tally: Tally, *, of_games: bool = False
) -> None:
    for relation in base.relations():
        if relation.tense != tense or (of_games and not isinstance(relation, GameStatement)):
            continue
        for statement in base.statements(relation.relation, tense):
            rule = _rule_of(base, statement)
            if rule is None:
                continue
            tally.derived[statement.relation, tense] += 1
            tally.firings[rule] += 1
            if not truth.holds(statement):
                tally.false.append(f"{print_condition(statement)}: {told}")


def _rule_of(base: KnowledgeBase, statement: Statement) -> str | None:
    """The rule that is the recorded reason of a statement; nothing where it was given."""
    derivation = engine_of(base).derivation(base.coding.fact_of(statement))
    if derivation is None:
        return None
    assert isinstance(derivation.rule, CodedRuleId)
    return base.rules[derivation.rule.index].name


def _all(base: KnowledgeBase, tense: Tense) -> Iterator[str]:
    for relation in base.relations():
        if relation.tense == tense:
            yield from map(print_condition, base.statements(relation.relation, tense))


# Positions and moves


@cache
def _problem_boards() -> tuple[Board, ...]:
    return tuple(problem.board for problem in read_problems(shipped("train")))


def _position(random: Random) -> Board:
    """A position of a random game, or that of a problem after some random moves."""
    if random.random() < 1 / 4:
        board, plies = random.choice(_problem_boards()), random.randrange(6)
    else:
        side = random.choice(SIDES)
        empty: Colour = "empty"
        board = Board(side, side, (empty,) * side**2)
        plies = random.randrange(side**2 // 3, side**2 * 2)
    player: Player = random.choice(PLAYERS)
    for _ in range(plies):
        tries = (play(board, player, random.choice(board.points())) for _ in range(_TRIES))
        board = next((after for after in tries if after is not None), board)
        player = OTHER[player]
    return board


def _near(board: Board, random: Random) -> list[int]:
    """The points about some point."""
    row, column = random.randrange(board.rows), random.randrange(board.columns)
    reach = random.choice((2, 3))
    return [
        point
        for point in board.points()
        if abs(point // board.columns - row) + abs(point % board.columns - column) <= reach
    ]


def _point(board: Board, named: Sequence[int], near: Sequence[int], random: Random) -> int | None:
    """Where an action plays, None for a pass: mostly on what is spoken of or fills a last liberty, on stones too."""
    chance = random.random()
    if chance < 0.1:
        return None
    if chance < 0.2:
        last = {min(found.liberties) for found in board.blocks if len(found.liberties) == 1}
        return random.choice(sorted(last & set(near) or last or set(near)))
    if chance < 0.65:
        # Only on empty points does something happen.
        return random.choice([p for p in named if board.colours[p] == "empty"] or list(named))
    return random.choice(near if chance < 0.85 else board.points())


def dented(theory: Theory, label: str, condition: str) -> Theory:
    """The theory without one condition of one of its rules."""
    (rule,) = [rule for rule in theory.rules if rule.label == label]
    body = tuple(c for c in rule.body if print_condition(c) != condition)
    assert len(body) == len(rule.body) - 1, f"{label} has no condition `{condition}`"
    rules = tuple(replace(rule, body=body) if r is rule else r for r in theory.rules)
    return replace(theory, rules=rules)
