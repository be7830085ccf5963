"""Random games of Abalone in which marbles are lost: among random moves those that push are preferred every second time."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from hornbook.theories.abalone.domain import DOMAIN
from hornbook.theories.abalone.states import rules
from hornbook.theories.abalone.states.position import EMPTY, MARBLES, PLACES, Position
from oracles.games.steps import named

THEORY = ("abalone", DOMAIN, named(push="legal_push", step="legal_step"), "over")
"""What `oracles.games.steps.Theory` is made of."""
LONGEST = 400


def game(random: Random) -> Iterator[Position]:
    """The positions of one game."""
    state: Position = DOMAIN.starts()[0]
    for _ in range(LONGEST):
        yield state
        moves = list(rules.moves(state))
        if not moves:
            return
        prefers = random.random() < 0.5
        pushing = [
            move for move in moves if prefers and isinstance(move, rules.Push) and _pushes(state, move)
        ]
        chosen = random.choice(pushing or moves)
        after = rules.after(state, chosen)
        assert after is not None
        state = after


def _pushes(state: Position, move: rules.Push) -> bool:
    """Whether the opponent's marbles lie before the row that moves."""
    own = rules.row(state.cells, move.cell, move.way, MARBLES[state.to_move])
    front = rules.NEXT[own[-1], move.way]
    return front is not None and state.cells[PLACES[front]] != EMPTY
