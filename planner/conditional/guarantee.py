"""The strategy of a role, from the planner that fits the game.

A game with one role gets a sequential plan, every other game a conditional plan.
"""

from __future__ import annotations

from collections.abc import Callable

from hornbook.kb.lower.budget import Budget
from hornbook.planner.conditional.single_role import solve_single_role
from hornbook.planner.conditional.solving import Solution, solve
from hornbook.planner.gdl.game import Game, State
from hornbook.planner.machines.choice import limits_within, machine_of
from hornbook.planner.machines.worths import greatest_worth

ProgressCallback = Callable[[int, int, int], None]
"""A callback that receives the number of visited states and the interval proved until now."""


def guarantee(
    game: Game,
    role: str,
    start: State,
    at_least: int | None,
    budget: Budget,
    progress: ProgressCallback = lambda _states, _least, _most: None,
    *,
    refuted: bool = False,
) -> Solution:
    """Return the value that a role can guarantee from a state, with its strategy.

    The budget counts its time from its construction. Ctrl-C ends the search like a limit. With `refuted`,
    the result also has the strategy of the other roles, if there are any, that prevents more.

    Raises ValueError if the state contains a term that the game never makes true.
    """
    if len(game.roles) == 1:
        return solve_single_role(
            game, start, at_least, budget, lambda now: progress(now.states, now.best or 0, now.most)
        )
    try:
        machine = machine_of(game, limits_within(budget.seconds))
    except KeyboardInterrupt:
        return Solution("open", (0, greatest_worth(game.program, role)), None, 0)
    return solve(
        machine, role, start, at_least, budget, lambda now: progress(now.nodes, *now.bounds), refuted=refuted
    )
