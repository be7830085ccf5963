"""Conflicts: one decision, two goals, and no amount that is known to serve both.

One goal needs the decision: some amounts reach it, and it is not reached otherwise. The other goal is reached
by other amounts only, or is missed by the amounts that the first one needs. A conflict is certain if every
amount misses one of the goals; otherwise no amount is merely known to reach both.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from itertools import combinations

from hornbook.compiler.advise.advice import AmountAdvice
from hornbook.compiler.advise.amounts import DOMAIN, Limit
from hornbook.kb.ast.terms import Atom, Statement
from hornbook.kb.integers.intervals import Intervals
from hornbook.matcher.program.dataclass import dataclass

REACHES = ("GI", "GIII")
"""The values of decisions that reach a goal, or let the next decision reach it."""
MISSES = ("PI",)


@dataclass(frozen=True, slots=True)
class GoalSide:
    """The effect of a decision on a goal, by amounts, with their limits."""

    goal: Atom
    reached: Intervals
    missed: Intervals
    advice: tuple[AmountAdvice, ...]

    def bounds(self, others: Intervals) -> tuple[Limit, ...]:
        """Return the limits that keep the ends of other amounts from reaching this goal, or that make them
        miss it.
        """
        ends = [end for part in others for end in part]
        reaching = [g for each in self.advice if each.value in REACHES for g in each.grounds]
        if reaching:
            found = [limit for g in reaching for end in ends for limit in g.excluding(end)]
        else:
            missing = [g for each in self.advice for g in each.grounds]
            found = [
                limit for g in missing for limit in g.limits if any(end in limit.amounts for end in ends)
            ]
        return tuple(dict.fromkeys(limit for limit in found if limit.facts))


@dataclass(frozen=True, slots=True)
class GoalConflict:
    decision: Atom
    """The decision, with the variable `?n` as its amount."""
    one: GoalSide
    """The goal that needs the decision."""
    other: GoalSide
    is_certain: bool
    """Whether every amount misses one of the two goals."""

    @property
    def limits(self) -> tuple[tuple[Limit, ...], tuple[Limit, ...]]:
        """Return the limits of the amounts of the one goal, and those of the other."""
        return self.one.bounds(self.other.reached or self.other.missed), self.other.bounds(self.one.reached)

    @property
    def facts(self) -> tuple[Statement, ...]:
        """Return the facts that cause the conflict."""
        return tuple(dict.fromkeys(f for limits in self.limits for limit in limits for f in limit.facts))


def conflicts(
    advice: Iterable[AmountAdvice], reached: Collection[Atom], missed: Collection[Atom]
) -> list[GoalConflict]:
    """Return all conflicts in the advice.

    `reached` and `missed` are the goals reached and missed without a decision.
    """
    decisions = defaultdict[Atom, defaultdict[Atom, list[AmountAdvice]]](lambda: defaultdict(list))
    for each in advice:
        decisions[each.open_decision][each.goal].append(each)
    return [
        found
        for decision, goals in decisions.items()
        for pair in combinations([side(goal, about_goal) for goal, about_goal in goals.items()], 2)
        for found in _of_two(decision, pair, reached, missed)
    ]


def side(goal: Atom, advice: Iterable[AmountAdvice]) -> GoalSide:
    collected = tuple(advice)
    return GoalSide(goal, _amounts(collected, REACHES), _amounts(collected, MISSES), collected)


def _amounts(advice: Iterable[AmountAdvice], values: Collection[str]) -> Intervals:
    return Intervals.of(part for each in advice if each.value in values for part in each.amounts)


def _of_two(
    decision: Atom, pair: tuple[GoalSide, GoalSide], reached: Collection[Atom], missed: Collection[Atom]
) -> Iterator[GoalConflict]:
    for one, other in (pair, pair[::-1]):
        if one.goal in reached or not one.reached or one.reached & other.reached:
            continue
        is_spoiled = other.goal not in missed and one.reached & other.missed
        if other.reached or is_spoiled:
            yield GoalConflict(decision, one, other, (one.missed | other.missed) >= DOMAIN)
            return
