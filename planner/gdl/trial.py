"""Random games of a sheet.

They test whether each role can move until the game is over, whether it ends at all, and whether the terminal
state has exactly one goal for each role. A ply is one joint move, in which all roles move.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from hornbook.matcher.program.dataclass import dataclass
from hornbook.planner.gdl.game import Game, State
from hornbook.planner.gdl.ground import Ground, text_of, worth_of

MOST_PLIES = 1_000
"""The number of plies after which a game counts as endless."""


@dataclass(frozen=True, slots=True)
class Fault:
    """An error in a state, which a game reaches after `plies` plies."""

    message: str
    plies: int
    state: State


def random_game(game: Game, random: Random, most_plies: int = MOST_PLIES) -> tuple[int, tuple[Fault, ...]]:
    """Return the number of plies of a random game, and its faults.

    The game stops at the first state with a fault. It is also a fault if the game is not over after
    `most_plies`.
    """
    state = game.initial
    for plies in range(most_plies + 1):
        over = game.terminal(state)
        legal = {} if over else game.legal(state)
        messages = _messages(game, state, legal, over=over)
        if over or messages:
            return plies, tuple(Fault(message, plies, state) for message in messages)
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
    return tuple(Fault(message, 0, state) for message in _messages(game, state, legal, over=over))


def _messages(game: Game, state: State, legal: Mapping[str, Sequence[Ground]], *, over: bool) -> list[str]:
    """Return descriptions of the faults of a state, whose legal moves are given."""
    goals = game.goal_terms(state)
    return [*_invalid_goals(goals), *(_terminal_faults(goals) if over else _roles_without_moves(legal))]


def _invalid_goals(goals: Mapping[str, Sequence[Ground]]) -> Iterator[str]:
    for role, terms in goals.items():
        for term in terms:
            if worth_of(term) is None:
                yield f"the goal of `{role}` is {text_of(term)}, which is not an integer from 0 to 100"


def _roles_without_moves(legal: Mapping[str, Sequence[Ground]]) -> Iterator[str]:
    for role, moves in legal.items():
        if not moves:
            yield f"`{role}` has no legal move"


def _terminal_faults(goals: Mapping[str, Sequence[Ground]]) -> Iterator[str]:
    for role, terms in goals.items():
        if not terms:
            yield f"the game is over, and `{role}` has no goal"
        elif len(terms) > 1:
            written = ", ".join(map(text_of, terms))
            yield f"the game is over, and `{role}` has several goals: {written}"
