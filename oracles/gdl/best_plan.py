"""The best sequential plan by its definition, in plain Python, to compare with planner/sequential.

Genesereth and Thielscher (General Game Playing, 11.2) list a depth-first `bestplan`, which returns its moves
in the wrong order, and does not terminate if states recur. This module implements their definition: among all
sequences of legal moves that end in the first terminal state that they reach, one with the greatest reward.
Whole states are compared, including clocks.
"""

from __future__ import annotations

from collections.abc import Sequence

from hornbook.planner.gdl.game import Game, State
from hornbook.planner.gdl.ground import Ground

Moves = tuple[Ground, ...]


def best_plan(game: Game) -> tuple[int, Moves] | None:
    """Return the greatest reward with a shortest plan for it, or None if no plan ends with a reward."""
    (role,) = game.roles
    best: tuple[int, Moves] | None = None
    seen: dict[State, Moves] = {game.initial: ()}
    layer = [game.initial]
    while layer:
        following: list[State] = []
        for state in layer:
            plan = seen[state]
            if game.terminal(state):
                worths = game.goal(state)[role]
                if len(worths) == 1 and (best is None or worths[0] > best[0]):
                    best = worths[0], plan
                continue
            for move in game.legal(state)[role]:
                after = game.next(state, {role: move})
                if after not in seen:
                    seen[after] = (*plan, move)
                    following.append(after)
        layer = following
    return best


def reward(game: Game, plan: Sequence[Ground]) -> int:
    """Return the reward of a plan. Raise AssertionError unless it is legal, complete and minimal."""
    (role,) = game.roles
    state = game.initial
    for move in plan:
        assert not game.terminal(state), "not minimal"
        assert move in game.legal(state)[role], "not legal"
        state = game.next(state, {role: move})
    assert game.terminal(state), "not complete"
    (worth,) = game.goal(state)[role]
    return worth
