"""A sequential plan as a strategy: a chain of states, each with one move and one empty reply."""

from __future__ import annotations

from hornbook.planner.gdl.game import Game, State
from hornbook.planner.sequential.plan import Plan
from hornbook.planner.strategies.strategy import Node, Reply, Strategy


def strategy_of(game: Game, plan: Plan, begins: State | None = None) -> Strategy:
    """Return the strategy of a game's only role that follows a plan, from the beginning of the plan."""
    (role,) = game.roles
    state = game.initial if begins is None else begins
    nodes: list[Node] = []
    for number, move in enumerate(plan.moves):
        rank = len(plan.moves) - number
        nodes.append(Node(state, plan.value, rank, move, (Reply((), number + 1),)))
        state = game.next(state, {role: move})
    nodes.append(Node(state, plan.value, 0))
    return Strategy(game.roles, role, tuple(nodes))
