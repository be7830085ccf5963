"""Generation of Othello problems: positions of random games, with first moves judged by search.

Every second position is near the end, where the game of having more discs is searched to its end. Elsewhere
only the games of wiping out and of corners are used.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from hornbook.kb.ast.terms import Atom
from hornbook.theories import search
from hornbook.theories.othello.states.position import EMPTY, OthelloPosition
from hornbook.theories.problems import GameProblem, ProblemRequest

LATE = 5
"""Maximal number of empty squares with which games are searched to their end."""
EARLY_MOVES, LATE_MOVES = 2, 3
"""Maximal number of the friend's moves of a win, early and late in a game."""


def make(domain: Any, request: ProblemRequest) -> Iterator[GameProblem]:
    """Yield `number` distinct problems. `depths` are in plies; None means problems that are not won."""
    random = Random(request.seed)  # noqa: S311 - problems are no secrets
    seen: set[tuple[OthelloPosition, Atom]] = set()
    made = 0
    while made < request.number:
        state = _state(domain.random_game(random), random)
        late = state.cells.count(EMPTY) <= LATE
        candidates = [g for g in domain.games(state) if _is_open(domain, state, g, late=late)]
        game = random.choice(candidates) if candidates else None
        if game is None or (state, game) in seen:
            continue
        seen.add((state, game))
        most = LATE_MOVES if late else EARLY_MOVES
        moves = next((m for m in range(1, most + 1) if search.wins(domain, state, game, m)), None)
        if request.depths and (None if moves is None else 2 * moves - 1) not in request.depths:
            continue
        winning = () if moves is None else search.winning(domain, state, game, moves)
        written = tuple(domain.write_move(state, action) for action in winning)
        yield GameProblem(f"o{made:05}", domain.write(state), state, game, moves, written)
        made += 1


def _state(states: list[OthelloPosition], random: Random) -> OthelloPosition:
    late = [state for state in states if state.cells.count(EMPTY) <= LATE]
    return random.choice(late if late and random.random() < 0.5 else states)


def _is_open(domain: Any, state: OthelloPosition, game: Atom, *, late: bool) -> bool:
    """Return whether a game belongs to the player to move, is undecided, and can be searched."""
    return (
        (late or game.predicate != "win")
        and domain.friend(state, game) == state.to_move
        and domain.outcome(state, game) is None
    )
