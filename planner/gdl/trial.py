"""Random games of a sheet: whether each player can move until the end, the end comes, and it is worth one number to each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from hornbook.planner.gdl.game import Game, State
from hornbook.planner.gdl.ground import text_of, worth_of

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
        found = faults_in(game, state, plies)
        if found or game.terminal(state):
            return plies, found
        if plies < most_plies:
            legal = game.legal(state)
            state = game.next(state, {role: random.choice(legal[role]) for role in game.roles})
    return most_plies, (Fault("the game is not over", most_plies, state),)


def faults_in(game: Game, state: State, plies: int = 0) -> tuple[Fault, ...]:
    """Return what is wrong in one state: a role that cannot move, or an end that is not worth one number to each role."""
    wrong = _wrong_goals(game, state) if game.terminal(state) else _stuck(game, state)
    return tuple(Fault(message, plies, state) for message in wrong)


def _stuck(game: Game, state: State) -> Iterator[str]:
    for role, moves in game.legal(state).items():
        if not moves:
            yield f"`{role}` has no legal move"


def _wrong_goals(game: Game, state: State) -> Iterator[str]:
    for role, terms in game.goal_terms(state).items():
        written = ", ".join(map(text_of, terms))
        if not terms:
            yield f"the game is over, and `{role}` has no goal"
        elif len(terms) > 1:
            yield f"the game is over, and `{role}` has several goals: {written}"
        elif worth_of(terms[0]) is None:
            yield f"the game is over, and the goal of `{role}` is {written}, which is not an integer from 0 to 100"
