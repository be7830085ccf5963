"""Generation of Abalone problems: positions of random games where the next lost marble decides the game.

A search determines all winning moves. In every second move of a game a marble is pushed off, or at least
forward, if possible.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from hornbook.theories.abalone.states import rules
from hornbook.theories.abalone.states.position import LOST, AbalonePosition, other, start
from hornbook.theories.domain import game
from hornbook.theories.problems import Choice, GameProblem, Maker, ProblemRequest, distinct_problems

MOVES = 1
"""Maximal number of the friend's moves of a win; longer wins are not searched."""
LONGEST = 400
"""Maximal number of moves of a game."""


def make(domain: Maker, request: ProblemRequest) -> Iterator[GameProblem]:
    """Yield `number` distinct problems.

    `depths` are in plies; None means problems that are not won at once.
    """

    def choose(random: Random, _: object) -> Choice | None:
        last = [state for state in _played(random) if rules.lost(state, other(state.to_move)) == LOST - 1]
        if not last:
            return None
        state = random.choice(last)
        return state, game("win", state.to_move), MOVES

    return distinct_problems(domain, request, choose, "a")


def _played(random: Random) -> list[AbalonePosition]:
    """Return the positions of one game that have a legal move."""
    state = start()
    found: list[AbalonePosition] = []
    while len(found) < LONGEST and (moves := list(rules.moves(state))):
        found.append(state)
        pushing = [move for move in moves if rules.pushes(state, move)] if random.random() < 0.5 else []
        off = [move for move in pushing if rules.pushes_off(state, move)]
        after = rules.after(state, random.choice(off or pushing or moves))
        assert after is not None
        state = after
    return found
