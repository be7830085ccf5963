"""Moves to try when no gain can be shown: the first moves of plans, which assume that the other side passes.

Only the destination of a plan is trusted (Tadepalli 1989, section 3). Levels of matches decide whether its
first move loses anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hornbook.compiler.match.plans import PlanInstance, PlanMatcher
from hornbook.compiler.rules import rulebase
from hornbook.inputs.opening_store import certified_of
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import Atom, Constant
from hornbook.theories.protocols.optional import Planned

AT_ONCE = 0
"""The rank of moves after which the other side cannot pass."""


class PlanMoves:
    """The certified plans of a domain with `planning` and `ways`, for one state after another."""

    def __init__(self, domain: Planned) -> None:
        planning = domain.planning()
        theory = load(planning.goals)
        plans = [
            rule
            for path in (planning.plans, *domain.ways)
            for rule in certified_of(rulebase.read(path, theory), theory)
        ]
        self._domain, self._game = domain, planning.game
        self._matcher = PlanMatcher(theory, plans)

    def order(self, state: Any, goal: Atom | None = None) -> Mapping[Atom, int]:
        """Return the rank of each move that is worth trying; the lowest rank is tried first.

        Moves after which the other side cannot pass come first. Then come the first moves of plans for
        `goal`, or for all goals of the player to move. Plans for goals of higher worth come before others,
        and shorter plans before longer ones. Other moves are not ranked. The result is empty if no plan
        applies.
        """
        if not self._domain.is_planned(state):
            return {}
        plans = [
            each for each in self._matcher.plans(self._game.parts(state)) if self._is_for(each, state, goal)
        ]
        ranks = sorted({self._rank(each) for each in plans})
        order: dict[Atom, int] = {}
        for each in plans:
            place = ranks.index(self._rank(each)) + 1
            order[each.action] = min(place, order.get(each.action, place))
        for action in self._game.actions(state) if plans else ():
            if self._game.passed(self._game.after(state, action)) is None:
                order[Atom(action.relation, tuple(map(Constant, action.values)))] = AT_ONCE
        return order

    def _is_for(self, plan: PlanInstance, state: Any, goal: Atom | None) -> bool:
        if goal is not None:
            return plan.goal == goal
        return self._game.friend(state, plan.goal) == self._game.to_move(state)

    def _rank(self, plan: PlanInstance) -> tuple[int, int]:
        worth = self._matcher.theory.vocabulary.predicates[plan.goal.predicate].worth or 0
        return -worth, plan.moves
