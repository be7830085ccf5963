"""C-plans: o-plans that a player executes concurrently.

An active o-plan is a goal and the number of own moves that reach it if the opponent passes. Its next action
is the one that a rule for that number proposes in the current state, so its conditions are matched again
before each action. It waits if no such rule applies.

A c-plan is a set of o-plans and represents all their interleavings: their MESH. The SEQ of two plans is one
of these interleavings, because a plan waits for another plan that makes its conditions true. So MESH subsumes
SEQ, and no other combination is generated. The null plan is the empty set. Complexity is the number of
o-plans.

Source: Tadepalli 1989, section 2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from hornbook.compiler.match.plans import PlanInstance
from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.ast.theory import GroundFact
from hornbook.matcher.program.dataclass import dataclass
from hornbook.theories.protocols.planning import PlanningGame


@dataclass(frozen=True, slots=True)
class OPlan:
    """A goal of a player, and the number of own moves in a plan that reaches it."""

    goal: Atom
    moves: int


CPlan = frozenset[OPlan]
NULL: CPlan = frozenset()


def ground(action: Atom) -> GroundFact:
    """Return the action of a plan as a fact."""
    return GroundFact(
        action.predicate, tuple(term.value for term in action.terms if isinstance(term, Constant))
    )


def steps(plan: CPlan, instances: Sequence[PlanInstance]) -> Iterator[tuple[GroundFact, CPlan]]:
    """Yield each action that may continue a c-plan, with the rest of the c-plan.

    The instances are the plans that apply. The shortest o-plan comes first. The rest still refers to the
    state before the action; `plan_after` updates it.
    """
    for one in sorted(plan, key=lambda each: (each.moves, str(each.goal))):
        rest = plan - {one}
        later = rest | {OPlan(one.goal, one.moves - 1)} if one.moves > 1 else rest
        for instance in instances:
            if instance.goal == one.goal and instance.moves == one.moves:
                yield ground(instance.action), later


def plan_after(game: PlanningGame, state: Any, plan: CPlan, action: GroundFact) -> CPlan:
    """Return a c-plan after an action of either player, with goals about the same objects.

    O-plans without their objects are dropped.
    """
    found = ((game.followed(state, one.goal, action), one.moves) for one in plan)
    return frozenset(OPlan(goal, moves) for goal, moves in found if goal is not None)
