"""Ways out: the advice after one further decision that a goal requires.

If two goals conflict, the decision for the first goal is executed and the adviser is queried about the other
goal. For example, this advises borrowing when a required purchase cannot be paid. If no decision reaches a
goal, the theory's adapter may name decisions that prepare one (`preparing`). The advice is about the state
after these decisions (`step`), and is as certain as any other advice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any

from hornbook.advice.advising import Advised, StateAdviser
from hornbook.compiler.advise.conflicts import GoalConflict
from hornbook.kb.ast.substitution import apply_to_statement
from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.integers.intervals import Intervals
from hornbook.kb.load.adapters import Adapter
from hornbook.kb.parse.facts import ground_fact
from hornbook.matcher.program.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class WayOut:
    """The amounts of further decisions that reach the goal after the decisions `taken`."""

    taken: tuple[GroundFact, ...]
    goal: Atom
    decisions: Mapping[Atom, Intervals]


def required_decision(conflict: GoalConflict) -> GroundFact:
    """Return the decision of a conflict, with the least amount that reaches the goal which requires it."""
    ((first, _), *_) = conflict.one.reached
    return ground_fact(apply_to_statement(conflict.decision, {"n": Constant(first)}))


class WaysOut:
    """Advice after decisions on one state, cached by the decisions."""

    def __init__(self, adviser: StateAdviser, reader: Adapter | ModuleType, state: Any) -> None:
        self._adviser, self._reader, self._state = adviser, reader, state
        self._after: dict[tuple[GroundFact, ...], Advised | None] = {}

    def of_conflicts(self, advised: Advised) -> dict[GoalConflict, WayOut]:
        """Return the decisions that reach the other goal of each conflict once the first decision is taken.

        Conflicts without such a decision are left out.
        """
        found = {c: self._way((required_decision(c),), c.other.goal) for c in advised.conflicts}
        return {conflict: way for conflict, way in found.items() if way is not None}

    def to_goals(self, advised: Advised) -> dict[Atom, WayOut]:
        """Return decisions that reach goals after preparation, for goals that no decision reaches alone."""
        found = {goal: self._way(taken, goal) for goal, taken in self._preparations(advised).items()}
        return {goal: way for goal, way in found.items() if way is not None}

    def _preparations(self, advised: Advised) -> dict[Atom, tuple[GroundFact, ...]]:
        """Return the decisions that prepare goals which no decision reaches alone."""
        preparing = getattr(self._reader, "preparing", None)
        found: dict[Atom, tuple[GroundFact, ...]] = {}
        for goal in (goal for goals in advised.levels.values() for goal in goals):
            is_advised = any(e.value == "GI" for side in goal.decisions.values() for e in side.advice)
            if preparing is not None and goal.value != "IG" and not is_advised:
                taken = tuple(preparing(self._state, goal.atom))
                if taken:
                    found[goal.atom] = taken
        return found

    def decisions(self, advised: Advised) -> Iterator[tuple[GroundFact, ...]]:
        """Yield the decisions after which `of_conflicts` and `to_goals` need advice."""
        yield from ((required_decision(conflict),) for conflict in advised.conflicts)
        yield from self._preparations(advised).values()

    def facts_after(self, taken: Sequence[GroundFact]) -> list[GroundFact] | None:
        """Return the facts after some decisions. None is returned if the theory has no step function, or one
        of the decisions is not possible.
        """
        step, state = getattr(self._reader, "step", None), self._state
        for decision in taken:
            state = None if step is None or state is None else step(state, decision)
        return None if state is None else list(self._reader.facts(state))

    def add_advice(self, taken: tuple[GroundFact, ...], advised: Advised | None) -> None:
        """Add the advice after some decisions, which need not be asked for then."""
        self._after[taken] = advised

    def _way(self, taken: tuple[GroundFact, ...], goal: Atom) -> WayOut | None:
        if taken not in self._after:
            facts = self.facts_after(taken)
            self._after[taken] = None if facts is None else self._adviser.advise(facts)
        advised = self._after[taken]
        known = None if advised is None else advised.goal(goal)
        if known is None or known.value == "IG":
            return None
        decisions = {
            decision: Intervals.of(
                part for each in side.advice if each.value == "GI" for part in each.amounts
            )
            for decision, side in known.decisions.items()
        }
        decisions = {decision: amounts for decision, amounts in decisions.items() if amounts}
        return WayOut(taken, goal, decisions) if decisions else None
