"""Generation of checkers problems: positions of random games, with first moves judged by search.

Every second position is one of the last of a game that was played to its end. Only there the game may be to
leave the opponent without a move.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from hornbook.theories.checkers.states import rules
from hornbook.theories.problems import (
    Choice,
    GameProblem,
    Maker,
    ProblemRequest,
    distinct_problems,
    open_games,
)

LATE = 6
"""Number of positions at the end of a game that count as late."""
MOVES = 2
"""Maximal number of the friend's moves of a win, where each jump is one move."""


def make(domain: Maker, request: ProblemRequest) -> Iterator[GameProblem]:
    """Yield `number` distinct problems. `depths` are in plies; None means problems that are not won."""

    def choose(random: Random, _: object) -> Choice | None:
        states = domain.random_game(random)
        late = rules.is_over(states[-1]) and random.random() < 0.5
        state = random.choice(states[-LATE:] if late else states)
        games = [game for game in open_games(domain, state) if late or game.predicate != "win"]
        return (state, random.choice(games), MOVES) if games else None

    return distinct_problems(domain, request, choose, "c")
