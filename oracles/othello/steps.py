"""Othello three times: by the theory, by plain play and by the native step. In each position of random games the legal moves,
the end and the outcome are compared, and the position after each move; by the theory, after one of them.

Of the theory everything is compared that its rules conclude after the move, not fluents alone: it must be what they conclude
of the next position by itself, so that the rules that say at once what follows are held against those from which it does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from random import Random

from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.load.loader import load
from hornbook.play.native import native_of
from hornbook.theories.othello import adapter
from hornbook.theories.othello.domain import DOMAIN
from hornbook.theories.othello.states import rules
from hornbook.theories.othello.states.position import Position, start

FLUENTS = ("disc", "empty", "empties", "discs", "lead", "to_move")
CONCLUDED = (
    "gains",
    "flipped",
    "outflanks",
    "barren",
    "barred",
    "spares",
    "mobile",
    "stuck",
    "safe",
    "anchored",
)
"""What rules conclude of any position. After a move they conclude less, and nothing else."""
Facts = frozenset[tuple[str | int, ...]]


@dataclass(slots=True)
class Tally:
    """What was compared, and what is different, in words."""

    positions: int = 0
    moves: int = 0
    ends: int = 0
    passes: int = 0
    actions: int = 0
    concluded: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        self.positions += other.positions
        self.moves += other.moves
        self.ends += other.ends
        self.passes += other.passes
        self.actions += other.actions
        self.concluded += other.concluded
        self.wrong += other.wrong


def positions(size: int, random: Random) -> Iterator[Position]:
    """The positions of one random game."""
    state: Position | None = start(size)
    while state is not None:
        yield state
        found = list(DOMAIN.actions(state))
        state = DOMAIN.after(state, random.choice(found)) if found else None


def reachable(size: int) -> Iterator[Position]:
    """Every position that play leads to, each once."""
    waiting = [start(size)]
    seen = set(waiting)
    while waiting:
        state = waiting.pop()
        yield state
        new = {DOMAIN.after(state, action) for action in DOMAIN.actions(state)} - seen
        seen |= new
        waiting += sorted(new, key=str)


def compare_native(states: Iterable[Position], tally: Tally) -> None:
    """Plain play and the native step."""
    native = native_of(DOMAIN)
    for state in states:
        tally.positions += 1
        bits = native.State(DOMAIN.write(state))
        actions = {DOMAIN.write_move(state, action): action for action in DOMAIN.actions(state)}
        tally.moves += len(actions)
        tally.passes += "pass" in actions
        _expect(tally, state, "written", str(bits), DOMAIN.write(state))
        _expect(tally, state, "to move", bits.to_move, ("black", "white").index(state.to_move))
        listed = bits.moves()
        _expect(tally, state, "moves", sorted(listed), sorted(actions))
        _expect(tally, state, "over", bits.is_over, not actions)
        if not actions:
            tally.ends += 1
            _expect(tally, state, "outcome", bits.outcome, rules.difference(state, "black"))
        for move in sorted(actions.keys() & set(listed)):
            after = DOMAIN.after(state, actions[move])
            found = bits.after(move)
            _expect(tally, state, move, str(found), DOMAIN.write(after))
            _expect(tally, state, f"{move}, hash", hash(found), hash(native.State(DOMAIN.write(after))))


class Theory:
    """The theory on boards of one size."""

    def __init__(self, size: int) -> None:
        self.base = KnowledgeBase(load("othello"))
        self.base.add(adapter.board(size))

    def compare(self, state: Position, random: Random, tally: Tally, *, whole: bool) -> None:
        """A position, and one of its actions; `whole` is with all that rules conclude after it, and not fluents alone."""
        tally.positions += 1
        legal = list(DOMAIN.actions(state))
        base = self.base
        base.push()
        base.add(adapter.position_facts(state))
        said = {GroundFact("put", values) for values in self._facts("legal", "before")}
        if self._facts("passing", "before"):
            said.add(GroundFact("pass", (adapter.board_name(state.size),)))
        tally.moves += len(legal)
        tally.passes += any(action.relation == "pass" for action in legal)
        _expect(tally, state, "legal", said, set(legal))
        _expect(tally, state, "over", bool(self._facts("over", "before")), not legal)
        if legal:
            action = random.choice(legal)
            base.add([action])
            tally.actions += 1
            self._compare_after(state, action, tally, whole=whole)
        else:
            tally.ends += 1
        base.pop()

    def _compare_after(self, state: Position, action: GroundFact, tally: Tally, *, whole: bool) -> None:
        then = DOMAIN.after(state, action)
        follows = tuple(adapter.position_facts(then))
        for name in FLUENTS:
            found = self._facts(name, "after")
            tally.concluded[name] += len(found)
            true = frozenset(fact.values for fact in follows if fact.relation == name)
            _expect(tally, state, f"{action}: {name}", found, true)
        if not whole:
            return
        concluded = {name: self._facts(name, "after") for name in CONCLUDED}
        self.base.push()
        self.base.retract([action, *adapter.position_facts(state)])
        self.base.add(follows)
        for name, found in concluded.items():
            tally.concluded[name] += len(found)
            _expect(tally, state, f"{action}: {name}", found - self._facts(name, "before"), frozenset())
        self.base.pop()

    def _facts(self, name: str, moment: str) -> Facts:
        return frozenset(fact.values for fact in self.base.facts(name, moment))


def _expect(tally: Tally, state: Position, what: str, found: object, expected: object) -> None:
    if found != expected:
        tally.wrong.append(f"{DOMAIN.write(state)}: {what}: {found}, not {expected}")
