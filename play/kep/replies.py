"""Replies that end a plan although planning succeeded: those that no proof answers.

Source: Tadepalli 1989, section 1 (faults are found in play).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from hornbook.compiler.match.plans import PlanInstance
from hornbook.kb.ast.terms import Atom
from hornbook.kb.ast.theory import GroundFact
from hornbook.matcher.program.dataclass import dataclass
from hornbook.play.kep.cplans import ground
from hornbook.play.kep.planning import Planner
from hornbook.play.kep.proof import RuleVerdicts
from hornbook.play.kep.proving import BestFirstProver
from hornbook.play.kep.tree import PlanningTree

Answers = Callable[[PlanningTree], Callable[[Any], bool]]
"""For a tree, a predicate for the states that are proved to be won by the planning player."""
MOST = 100
"""The number of states that are searched for such a reply."""


@dataclass(frozen=True, slots=True)
class Ended:
    """Actions of both players whose last one ends the plan, with the facts it needed that no longer hold."""

    actions: tuple[GroundFact, ...]
    facts: tuple[GroundFact, ...]


def proofs(wins: RuleVerdicts, holds: RuleVerdicts, most_nodes: int) -> Answers:
    """Return answers from proofs with at most `most_nodes` nodes, by rules about winning and holding."""

    def answers(tree: PlanningTree) -> Callable[[Any], bool]:
        prover = BestFirstProver(tree.game, tree.player, wins, holds, tree.best(), most_nodes)
        prover.proof(tree.root)
        return prover.is_proved

    return answers


def unanswered(
    planner: Planner, answers: Answers, fluents: Callable[[Any], frozenset[GroundFact]]
) -> Ended | None:
    """Return the shortest line of the plan with an unanswered reply that ends facts needed by the plan."""
    tree, game = planner.tree, planner.game
    first = _first(planner)
    answered = answers(tree)
    if first is None or answered(tree.root):
        return None
    waiting: deque[tuple[Any, PlanInstance, tuple[GroundFact, ...]]] = deque([(tree.root, first, ())])
    for _ in range(MOST):
        if not waiting:
            return None
        state, plan, line = waiting.popleft()
        action = ground(plan.action)
        then, goal = game.after(state, action), game.followed(state, plan.goal, action)
        if plan.moves == 1 or goal is None or _going_on(planner, state, plan.goal, plan.moves) is None:
            continue
        premises = {fact._replace(tense=None) for fact in planner.plans.premises(plan)}
        needed = premises & fluents(then)
        for reply in game.actions(then):
            to = game.after(then, reply)
            if answered(to):
                continue
            played = (*line, action, reply)
            followed_goal = game.followed(then, goal, reply)
            on = None if followed_goal is None else _going_on(planner, to, followed_goal, plan.moves - 1)
            lost = needed - fluents(to)
            if on is not None:
                waiting.append((to, on, played))
            elif lost or game.promise(then, reply):
                return Ended(played, tuple(sorted(lost)))
    return None


def _first(planner: Planner) -> PlanInstance | None:
    """Return the first plan of the tree whose goal has a value."""
    root, game = planner.tree.root, planner.game
    if game.to_move(root) != planner.tree.player:
        return None
    best = planner.tree.best().get(root, [])
    found = (p for p in planner.applicable(root) if not game.stays(p.goal))
    return next((plan for plan in found if best and ground(plan.action) == best[0]), None)


def _going_on(planner: Planner, state: Any, goal: Atom, moves: int) -> PlanInstance | None:
    """Match the plans on a state, and return the one for a goal with this number of moves, if any."""
    found = planner.plans.plans(planner.game.parts(state))
    return next((plan for plan in found if (plan.goal, plan.moves) == (goal, moves)), None)
