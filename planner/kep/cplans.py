"""C-plans: o-plans that a player carries out side by side (Tadepalli 1989, section 2).

An o-plan under way is a goal and the number of own moves by which it is reached if the opponent passes. Its next
action is what a rule for that number proposes in the state at hand, so its conditions are matched again before each action. Where no
such rule applies it waits.

A c-plan is a set of o-plans, all of whose interleavings it stands for: the MESH of them. The SEQ of two plans is among
these interleavings, since a plan whose conditions another one makes true waits for it; so MESH subsumes SEQ, and there is
nothing else to generate. The null plan is the empty set. Complexity is the number of o-plans.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from hornbook.compiler.match.plans import PlanInstance
from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.ast.theory import GroundFact
from hornbook.planner.kep.game import Game


@dataclass(frozen=True, slots=True)
class OPlan:
    """A goal of a player, and the moves of his by which a plan reaches it."""

    goal: Atom
    moves: int


CPlan = frozenset[OPlan]
NULL: CPlan = frozenset()


def ground(action: Atom) -> GroundFact:
    """The action of a plan as a fact."""
    return GroundFact(
        action.predicate, tuple(term.value for term in action.terms if isinstance(term, Constant))
    )


def steps(plan: CPlan, instances: Sequence[PlanInstance]) -> Iterator[tuple[GroundFact, CPlan]]:
    """Each action by which a c-plan may go on where these plans apply, with what is left of it; the shortest o-plan first.

    What is left still speaks of the state before the action: it is to be `followed`.
    """
    for one in sorted(plan, key=lambda each: (each.moves, str(each.goal))):
        rest = plan - {one}
        later = rest | {OPlan(one.goal, one.moves - 1)} if one.moves > 1 else rest
        for instance in instances:
            if instance.goal == one.goal and instance.moves == one.moves:
                yield ground(instance.action), later


def followed(game: Game, state: Any, plan: CPlan, action: GroundFact) -> CPlan:
    """A c-plan after an action of either player, about the same things; o-plans whose things are gone are dropped."""
    found = ((game.followed(state, one.goal, action), one.moves) for one in plan)
    return frozenset(OPlan(goal, moves) for goal, moves in found if goal is not None)
