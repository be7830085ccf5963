"""A sequential plan as a strategy: a chain of states, each with one move and one empty reply."""

from __future__ import annotations

from hornbook.planner.gdl.game import Game, State
from hornbook.planner.sequential.plan import SequentialPlan
from hornbook.planner.strategies.strategy import JointReply, RoleStrategy, StrategyNode


def strategy_of(game: Game, plan: SequentialPlan, begins: State | None = None) -> RoleStrategy:
    """Return the strategy of a game's only role that follows a plan, from the beginning of the plan."""
    (role,) = game.roles
    state = game.initial if begins is None else begins
    nodes: list[StrategyNode] = []
    for number, move in enumerate(plan.moves):
        rank = len(plan.moves) - number
        nodes.append(StrategyNode(state, plan.value, rank, move, (JointReply((), number + 1),)))
        state = game.next(state, {role: move})
    nodes.append(StrategyNode(state, plan.value, 0))
    return RoleStrategy(game.roles, role, tuple(nodes))
