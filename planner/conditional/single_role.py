"""Games with a single role: the best sequential plan is the strategy, and there are no replies."""

from __future__ import annotations

from collections.abc import Callable

from hornbook.kb.lower.budget import Budget
from hornbook.planner.conditional.solving import Solution, Verdict
from hornbook.planner.gdl.game import Game, State
from hornbook.planner.sequential.chain import strategy_of
from hornbook.planner.sequential.planner import SequentialProgress, plan


def solve_single_role(
    game: Game,
    start: State,
    at_least: int | None,
    budget: Budget,
    progress: Callable[[SequentialProgress], None] = lambda _: None,
) -> Solution:
    """Return the best value that the only role of a game can reach from a state.

    `solving.solve` documents the possible answers.
    """
    found = plan(game, budget, progress, start, at_least)
    lower = 0 if found.plan is None else found.plan.value
    upper = 0 if found.most is None else found.most
    required = max(1, upper if at_least is None else at_least)
    answer: Verdict = "found" if lower >= required else "none" if upper < required else "open"
    is_given = found.plan is not None and lower > 0 and answer != "none"
    strategy = strategy_of(game, found.plan, start) if is_given and found.plan is not None else None
    return Solution(answer, (lower, upper), strategy, found.states)
