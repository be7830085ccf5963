"""Generation of Othello problems: positions of random games, with first moves judged by search.

Every second position is near the end, where the game of having more discs is searched to its end. Elsewhere
only the games of wiping out and of corners are used.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from hornbook.theories.othello.states.position import EMPTY, OthelloPosition
from hornbook.theories.problems import (
    Choice,
    GameProblem,
    Maker,
    ProblemRequest,
    distinct_problems,
    open_games,
)

LATE = 5
"""Maximal number of empty squares with which games are searched to their end."""
EARLY_MOVES, LATE_MOVES = 2, 3
"""Maximal number of the friend's moves of a win, early and late in a game."""


def make(domain: Maker, request: ProblemRequest) -> Iterator[GameProblem]:
    """Yield `number` distinct problems. `depths` are in plies; None means problems that are not won."""

    def choose(random: Random, _: object) -> Choice | None:
        states: list[OthelloPosition] = domain.random_game(random)
        ends = [state for state in states if state.cells.count(EMPTY) <= LATE]
        state = random.choice(ends if ends and random.random() < 0.5 else states)
        late = state.cells.count(EMPTY) <= LATE
        games = [game for game in open_games(domain, state) if late or game.predicate != "win"]
        return (state, random.choice(games), LATE_MOVES if late else EARLY_MOVES) if games else None

    return distinct_problems(domain, request, choose, "o")
