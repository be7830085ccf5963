"""Ways out: the advice after one further decision, which one goal wants or needs.

Where goals conflict, the decision that the one wants is taken, and the other is asked about: so borrowing is advised where
a purchase that is needed cannot be paid. Where no decision reaches a goal by itself, the theory's adapter may say what
prepares one (`preparing`). What is said is advice on the state after that (`step`), and as certain as any.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from hornbook.advice.advising import Advised, Counsel
from hornbook.compiler.advise.conflicts import Conflict
from hornbook.kb.ast.substitution import apply_to_statement
from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.integers.intervals import Intervals
from hornbook.kb.load.adapters import Adapter
from hornbook.kb.parse.facts import ground_fact


@dataclass(frozen=True, slots=True)
class WayOut:
    """After `taken`, these amounts of these decisions reach the goal."""

    taken: tuple[GroundFact, ...]
    goal: Atom
    decisions: Mapping[Atom, Intervals]


def wanted(conflict: Conflict) -> GroundFact:
    """The decision of a conflict, with the amount at which the goal that wants it begins to be reached."""
    ((first, _), *_) = conflict.one.reached
    return ground_fact(apply_to_statement(conflict.decision, {"n": Constant(first)}))


class WaysOut:
    """Asks for advice after decisions on one state, and keeps what it heard."""

    def __init__(self, counsel: Counsel, reader: Adapter | ModuleType, state: Any) -> None:
        self._counsel, self._reader, self._state = counsel, reader, state
        self._after: dict[tuple[GroundFact, ...], Advised | None] = {}

    def of_conflicts(self, advised: Advised) -> dict[Conflict, WayOut]:
        """What helps the other goal once the decision is taken; conflicts that nothing helps are left out."""
        found = {c: self._way((wanted(c),), c.other.goal) for c in advised.conflicts}
        return {conflict: way for conflict, way in found.items() if way is not None}

    def to_goals(self, advised: Advised) -> dict[Atom, WayOut]:
        """What reaches goals that no decision reaches by itself, once it is prepared."""
        preparing = getattr(self._reader, "preparing", None)
        found: dict[Atom, WayOut] = {}
        for goal in (goal for goals in advised.levels.values() for goal in goals):
            is_advised = any(e.value == "GI" for said in goal.decisions.values() for e in said.advice)
            if preparing is not None and goal.value != "IG" and not is_advised:
                taken = tuple(preparing(self._state, goal.atom))
                way = self._way(taken, goal.atom) if taken else None
                if way is not None:
                    found[goal.atom] = way
        return found

    def _way(self, taken: tuple[GroundFact, ...], goal: Atom) -> WayOut | None:
        if taken not in self._after:
            self._after[taken] = self._advised(taken)
        advised = self._after[taken]
        known = None if advised is None else advised.goal(goal)
        if known is None or known.value == "IG":
            return None
        decisions = {
            decision: Intervals.of(
                part for each in said.advice if each.value == "GI" for part in each.amounts
            )
            for decision, said in known.decisions.items()
        }
        decisions = {decision: amounts for decision, amounts in decisions.items() if amounts}
        return WayOut(taken, goal, decisions) if decisions else None

    def _advised(self, taken: Sequence[GroundFact]) -> Advised | None:
        """None where the theory takes no steps, or one of the decisions cannot be taken."""
        step, state = getattr(self._reader, "step", None), self._state
        for decision in taken:
            state = None if step is None or state is None else step(state, decision)
        return None if state is None else self._counsel.advise(self._reader.facts(state))
