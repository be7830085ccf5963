"""A game three times: by its theory, by its domain's plain play and by its native step, held against each other.

Of each position the legal moves and the end are compared, and what each move leads to; by the theory, after one of them. The
theory must conclude all fluents of the next position, and no others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.load.loader import load
from hornbook.play.native import native_of
from hornbook.theories.domain import Domain


@dataclass(slots=True)
class Tally:
    """What was compared, and what is different, in words."""

    positions: int = 0
    moves: int = 0
    ends: int = 0
    actions: int = 0
    concluded: int = 0
    wrong: list[str] = field(default_factory=list)

    def expect(self, where: str, what: str, found: object, expected: object) -> None:
        if found != expected:
            self.wrong.append(f"{where}: {what}: {found}, not {expected}")


def compare_native(domain: Domain, states: Iterable[Any], tally: Tally) -> None:
    """Plain play and the native step."""
    native = native_of(domain)
    for state in states:
        where = domain.write(state)
        found = native.State(where)
        actions = {domain.write_move(state, action): action for action in domain.actions(state)}
        tally.positions += 1
        tally.moves += len(actions)
        tally.ends += not actions
        listed = found.moves()
        tally.expect(where, "written", str(found), where)
        tally.expect(where, "moves", sorted(listed), sorted(actions))
        tally.expect(where, "over", found.is_over, not actions)
        tally.expect(where, "lines", found.perft(1), len(actions) or 1)
        for move in actions.keys() & set(listed):
            after, expected = found.after(move), domain.write(domain.after(state, actions[move]))
            tally.expect(where, move, str(after), expected)
            tally.expect(where, f"{move}, hash", hash(after), hash(native.State(expected)))


class Theory:
    """The theory `name`, in positions of one board. `legal` says by which predicate it concludes which actions are legal, and
    `over` by which that the game is.
    """

    def __init__(self, name: str, domain: Domain, legal: Mapping[str, str], over: str) -> None:
        self._base = KnowledgeBase(load(name))
        self._domain, self._legal, self._over = domain, legal, over
        self._statics: frozenset[GroundFact] = frozenset()
        self._fluents = [
            p.name for p in self._base.theory.vocabulary.predicates.values() if p.kind == "fluent"
        ]

    def compare(self, state: Any, random: Random, tally: Tally) -> None:
        """A position, and one of its actions."""
        domain, base, where = self._domain, self._base, self._domain.write(state)
        before = list(domain.facts(state))
        statics = frozenset(f for f in before if f.relation in domain.adapter.STATICS)
        if statics != self._statics:
            base.retract(self._statics)
            base.add(statics)
            self._statics = statics
        base.push()
        base.add([fact for fact in before if fact not in statics])
        actions = list(domain.actions(state))
        said = {GroundFact(a, values) for a, p in self._legal.items() for values in self._facts(p, "before")}
        tally.positions += 1
        tally.moves += len(actions)
        tally.expect(where, "legal", said, set(actions))
        tally.expect(where, "over", bool(self._facts(self._over, "before")), not actions)
        if actions:
            action = random.choice(actions)
            base.add([action])
            tally.actions += 1
            then = list(domain.facts(domain.after(state, action)))
            for name in self._fluents:
                found = self._facts(name, "after")
                true = {fact.values for fact in then if fact.relation == name}
                tally.concluded += len(found)
                tally.expect(where, f"{action}: {name}", found, true)
        else:
            tally.ends += 1
        base.pop()

    def _facts(self, name: str, moment: str) -> set[tuple[str | int, ...]]:
        return {fact.values for fact in self._base.facts(name, moment)}
