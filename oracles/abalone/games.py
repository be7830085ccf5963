"""Random games of Abalone with lost marbles: every second move prefers pushes."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from hornbook.theories.abalone.domain import DOMAIN
from hornbook.theories.abalone.states import rules
from hornbook.theories.abalone.states.position import AbalonePosition
from oracles.games.steps import named

THEORY = ("abalone", DOMAIN, named(push="legal_push", step="legal_step"), "over")
"""The arguments of `oracles.games.steps.ComparedTheory`."""
LONGEST = 400


def game(random: Random) -> Iterator[AbalonePosition]:
    """Yield the positions of one game."""
    state: AbalonePosition = DOMAIN.starts()[0]
    for _ in range(LONGEST):
        yield state
        moves = list(rules.moves(state))
        if not moves:
            return
        prefers = random.random() < 0.5
        pushing = [move for move in moves if prefers and rules.pushes(state, move)]
        chosen = random.choice(pushing or moves)
        after = rules.after(state, chosen)
        assert after is not None
        state = after
