"""Where to go when nothing is shown to gain: the first moves of plans, which say what comes if the other side passes each time.

Nothing is believed of a plan but where it leads (Tadepalli 1989, section 3): whether its first move loses anything, levels of matches say.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hornbook.compiler.match.plans import PlanInstance, PlanMatcher
from hornbook.compiler.rules import rulebase
from hornbook.inputs.opening_store import certified_of
from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.load.loader import load
from hornbook.theories.domain import Domain

AT_ONCE = 0
"""Where moves stand that the other side cannot pass on."""


class Ways:
    """The certified plans of a domain, asked about one state after the other. It has both: `planning` and `ways`."""

    def __init__(self, domain: Domain) -> None:
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
        """In which order to try moves of who is to move: first those that the other side cannot pass on; then the first moves of plans,
        for one goal or for all of that side, the worthier goals first and the shorter plans. Moves that nothing is said of are left out,
        and all are where no plan applies.
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
