"""States of random games in flat form: each fact is a relation with its words."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from time import process_time

from hornbook.planner.gdl.flattening import WORD, Relation, Shape
from hornbook.planner.gdl.game import Game, State
from hornbook.planner.gdl.ground import Ground
from hornbook.planner.translation.grounding import Row

FlatState = frozenset[tuple[Relation, Row]]
MOST_SECONDS = 10.0


def flat(term: Ground) -> tuple[Shape, Row]:
    """Return the shape of a term, and its words."""
    if isinstance(term, str):
        return WORD, (term,)
    parts = [flat(part) for part in term[1:]]
    return (str(term[0]), tuple(shape for shape, _ in parts)), tuple(word for _, row in parts for word in row)


def flat_state(state: State) -> FlatState:
    found = []
    for term in state:
        shape, row = flat(term)
        found.append((("true", (shape,)), row))
    return frozenset(found)


def random_states(game: Game, random: Random, games: int = 5, plies: int = 80) -> Iterator[State]:
    """Yield the states of random games, with repetitions; only the last state of a game may be terminal."""
    end = process_time() + MOST_SECONDS
    for _ in range(games):
        state = game.initial
        for _ in range(plies):
            yield state
            if game.terminal(state) or process_time() > end:
                break
            legal = game.legal(state)
            if not all(legal.values()):
                break
            state = game.next(state, {role: random.choice(moves) for role, moves in legal.items()})
