"""Comparison of three implementations of a game: its theory, its domain's Python play, and its native step.

The legal moves, the end of the game and all successors of each position are compared; for the theory, one
successor. The theory must conclude all fluents of the next position, and no others. All other conclusions
after a move must equal the conclusions from the next position alone. This compares rules that conclude
derived facts directly with those that derive them from fluents.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from hornbook.inputs.theories import load
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.play.native import native_of
from hornbook.theories.domain import Domain

Values = tuple[str | int, ...]
Ask = Callable[[str], set[Values]]
"""A function that returns the rows that a theory concludes for a predicate in a position."""


@dataclass(slots=True)
class StepsTally:
    """Counts of comparisons, and the differences in words."""

    positions: int = 0
    moves: int = 0
    ends: int = 0
    actions: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    """Legal actions, by their relations."""
    concluded: Counter[str] = field(default_factory=Counter)
    """Number of conclusions after actions, by predicate."""
    wrong: list[str] = field(default_factory=list)

    def expect(self, where: str, what: str, found: object, expected: object) -> None:
        if found != expected:
            self.wrong.append(f"{where}: {what}: {found}, not {expected}")


def compare_native(
    domain: Domain, states: Iterable[Any], tally: StepsTally, outcome: Callable[[Any], int] | None = None
) -> None:
    """Compare the Python play with the native step.

    Also the outcome of a finished state if `outcome` is given.
    """
    native = native_of(domain)
    first = domain.to_move(domain.starts()[0])
    for state in states:
        where = domain.write(state)
        found = native.State(where)
        turns = dict(domain.turns(state))
        tally.positions += 1
        tally.moves += len(turns)
        tally.ends += not turns
        tally.kinds.update(action.relation for action in domain.actions(state))
        listed = found.moves()
        tally.expect(where, "written", str(found), where)
        tally.expect(where, "to move", found.to_move, int(domain.to_move(state) != first))
        tally.expect(where, "moves", sorted(listed), sorted(turns))
        tally.expect(where, "over", found.is_over, not turns)
        tally.expect(where, "lines", found.perft(1), len(turns))
        if outcome is not None and found.is_over and not turns:
            tally.expect(where, "outcome", found.outcome, outcome(state))
        for move in sorted(turns.keys() & set(listed)):
            after, expected = found.after(move), domain.write(turns[move])
            tally.expect(where, move, str(after), expected)
            tally.expect(where, f"{move}, hash", hash(after), hash(native.State(expected)))


def named(**predicates: str) -> Callable[[Ask], set[GroundFact]]:
    """Return a function that reads the legal actions.

    Each relation has a predicate with the terms of legal actions.
    """
    return lambda ask: {
        GroundFact(relation, values)
        for relation, predicate in predicates.items()
        for values in ask(predicate)
    }


class ComparedTheory:
    """The theory `name`, with `legal` for its legal actions and `over` for the predicate of a finished game.

    The predicates `rest` are also concluded. For those in `less`, the conclusions after a move may be a
    subset of those from the next position.
    """

    def __init__(
        self,
        name: str,
        domain: Domain,
        legal: Callable[[Ask], set[GroundFact]],
        over: str,
        rest: Sequence[str] = (),
        *,
        less: bool = False,
    ) -> None:
        self.base = KnowledgeBase(load(name))
        self._domain, self._legal, self._over, self._rest, self._less = domain, legal, over, rest, less
        self._statics: frozenset[GroundFact] = frozenset()
        self._fluents = [
            p.name for p in self.base.theory.vocabulary.predicates.values() if p.kind == "fluent"
        ]

    def compare(self, state: Any, random: Random, tally: StepsTally, *, whole: bool = False) -> None:
        """Compare a position and one of its actions.

        With `whole`, also the further conclusions besides fluents.
        """
        domain, base, where = self._domain, self.base, self._domain.write(state)
        statics, before = self._facts_of(state)
        if statics != self._statics:
            base.retract(self._statics)
            base.add(statics)
            self._statics = statics
        base.push()
        base.add(before)
        actions = list(domain.actions(state))
        tally.positions += 1
        tally.moves += len(actions)
        tally.kinds.update(action.relation for action in actions)
        tally.expect(where, "legal", self._legal(self._before), set(actions))
        tally.expect(where, "over", bool(self._before(self._over)), not actions)
        if actions:
            action = random.choice(actions)
            base.add([action])
            tally.actions += 1
            self._compare_after(state, action, tally, whole=whole)
        else:
            tally.ends += 1
        base.pop()

    def _compare_after(self, state: Any, action: GroundFact, tally: StepsTally, *, whole: bool) -> None:
        where = self._domain.write(state)
        _, follows = self._facts_of(self._domain.after(state, action))
        for name in self._fluents:
            found = self._after(name)
            true = {fact.values for fact in follows if fact.relation == name}
            tally.concluded[name] += len(found)
            tally.expect(where, f"{action}: {name}", found, true)
        if not whole:
            return
        concluded = {name: self._after(name) for name in self._rest}
        self.base.push()
        self.base.retract([action, *self._facts_of(state)[1]])
        self.base.add(follows)
        for name, found in concluded.items():
            tally.concluded[name] += len(found)
            true = self._before(name)
            tally.expect(where, f"{action}: {name}", found, true & found if self._less else true)
        self.base.pop()

    def _facts_of(self, state: Any) -> tuple[frozenset[GroundFact], list[GroundFact]]:
        """Return the static facts, and the other facts."""
        facts = list(self._domain.facts(state))
        statics = frozenset(fact for fact in facts if fact.relation in self._domain.adapter.STATICS)
        return statics, [fact for fact in facts if fact not in statics]

    def _before(self, name: str) -> set[Values]:
        return {fact.values for fact in self.base.facts(name, "before")}

    def _after(self, name: str) -> set[Values]:
        return {fact.values for fact in self.base.facts(name, "after")}
