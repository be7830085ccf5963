"""Generation of checkers problems: positions of random games, with first moves judged by search.

Every second position is one of the last of a game that was played to its end. Only there the game may be to
leave the opponent without a move.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from hornbook.kb.ast.terms import Atom
from hornbook.theories import search
from hornbook.theories.checkers.states import rules
from hornbook.theories.checkers.states.position import CheckersPosition
from hornbook.theories.problems import GameProblem, ProblemRequest

LATE = 6
"""Number of positions at the end of a game that count as late."""
MOVES = 2
"""Maximal number of the friend's moves of a win, where each jump is one move."""


def make(domain: Any, request: ProblemRequest) -> Iterator[GameProblem]:
    """Yield `number` distinct problems. `depths` are in plies; None means problems that are not won."""
    random = Random(request.seed)  # noqa: S311 - problems are no secrets
    seen: set[tuple[CheckersPosition, Atom]] = set()
    made = 0
    while made < request.number:
        states = domain.random_game(random)
        late = rules.is_over(states[-1]) and random.random() < 0.5
        state = random.choice(states[-LATE:] if late else states)
        candidates = [g for g in domain.games(state) if _is_open(domain, state, g, late=late)]
        game = random.choice(candidates) if candidates else None
        if game is None or (state, game) in seen:
            continue
        seen.add((state, game))
        moves = next((m for m in range(1, MOVES + 1) if search.wins(domain, state, game, m)), None)
        if request.depths and (None if moves is None else 2 * moves - 1) not in request.depths:
            continue
        winning = () if moves is None else search.winning(domain, state, game, moves)
        written = tuple(domain.write_move(state, action) for action in winning)
        yield GameProblem(f"c{made:05}", domain.write(state), state, game, moves, written)
        made += 1


def _is_open(domain: Any, state: CheckersPosition, game: Atom, *, late: bool) -> bool:
    """Return whether a game belongs to the player to move, is undecided, and is used at this stage."""
    return (
        (late or game.predicate != "win")
        and domain.friend(state, game) == state.to_move
        and domain.outcome(state, game) is None
    )
