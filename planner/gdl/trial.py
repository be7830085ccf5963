"""Random games of a sheet: whether each player can move until the end, the end comes, and it is worth one number to each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from hornbook.planner.gdl.game import Game, State

MOST_PLIES = 1_000
"""Moves until a game is taken for one that does not end."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong in a state, so many moves after the first one."""

    message: str
    plies: int
    state: State


def random_game(game: Game, random: Random, most_plies: int = MOST_PLIES) -> tuple[int, tuple[Fault, ...]]:
    """How many moves a random game takes, and what is wrong with it."""
    state = game.initial
    for plies in range(most_plies + 1):
        if game.terminal(state):
            return plies, tuple(Fault(message, plies, state) for message in _wrong_goals(game, state))
        legal = game.legal(state)
        stuck = [role for role in game.roles if not legal[role]]
        if stuck:
            return plies, tuple(Fault(f"`{role}` has no legal move", plies, state) for role in stuck)
        if plies < most_plies:
            state = game.next(state, {role: random.choice(legal[role]) for role in game.roles})
    return most_plies, (Fault("the game is not over", most_plies, state),)


def _wrong_goals(game: Game, state: State) -> Iterator[str]:
    for role, worths in game.goal(state).items():
        if not worths:
            yield f"the game is over, and `{role}` has no goal"
        elif len(worths) > 1:
            yield f"the game is over, and `{role}` has several goals: {', '.join(map(str, worths))}"
