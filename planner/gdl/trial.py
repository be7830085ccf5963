"""Random games of a sheet.

They test whether each player can move until the end, whether the end comes, and whether it has one goal value
for each player.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from hornbook.planner.gdl.game import Game, State
from hornbook.planner.gdl.ground import Ground, text_of, worth_of

MOST_PLIES = 1_000
"""The number of moves after which a game counts as endless."""


@dataclass(frozen=True, slots=True)
class Fault:
    """An error in a state, with the number of moves after the first state."""

    message: str
    plies: int
    state: State


def random_game(game: Game, random: Random, most_plies: int = MOST_PLIES) -> tuple[int, tuple[Fault, ...]]:
    """Return the number of moves in a random game, and its faults."""
    state = game.initial
    for plies in range(most_plies + 1):
        over = game.terminal(state)
        legal = {} if over else game.legal(state)
        wrong = _wrong(game, state, legal, over=over)
        if over or wrong:
            return plies, tuple(Fault(message, plies, state) for message in wrong)
        if plies < most_plies:
            state = game.next(state, {role: random.choice(legal[role]) for role in game.roles})
    return most_plies, (Fault("the game is not over", most_plies, state),)


def first_faults(game: Game) -> tuple[Fault, ...]:
    """Return the faults of the first state.

    A fault is a goal that is not an integer from 0 to 100, a role that cannot move, or an end without exactly
    one goal for each role.
    """
    state = game.initial
    over = game.terminal(state)
    legal = {} if over else game.legal(state)
    return tuple(Fault(message, 0, state) for message in _wrong(game, state, legal, over=over))


def _wrong(game: Game, state: State, legal: Mapping[str, Sequence[Ground]], *, over: bool) -> list[str]:
    goals = game.goal_terms(state)
    return [*_no_integers(goals), *(_wrong_end(goals) if over else _stuck(legal))]


def _no_integers(goals: Mapping[str, Sequence[Ground]]) -> Iterator[str]:
    for role, terms in goals.items():
        for term in terms:
            if worth_of(term) is None:
                yield f"the goal of `{role}` is {text_of(term)}, which is not an integer from 0 to 100"


def _stuck(legal: Mapping[str, Sequence[Ground]]) -> Iterator[str]:
    for role, moves in legal.items():
        if not moves:
            yield f"`{role}` has no legal move"


def _wrong_end(goals: Mapping[str, Sequence[Ground]]) -> Iterator[str]:
    for role, terms in goals.items():
        if not terms:
            yield f"the game is over, and `{role}` has no goal"
        elif len(terms) > 1:
            written = ", ".join(map(text_of, terms))
            yield f"the game is over, and `{role}` has several goals: {written}"
