"""Exhaustive search in games: who wins within a number of moves, by the domain's own play without any rule.

The search tells the prover where to look for proofs, generates problems, and judges conclusions of rules. It
therefore shares no code with a theory.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Protocol

from hornbook.kb.ast.terms import SECOND_PLAYER_WIN, Atom, Constant, GameStatement
from hornbook.kb.ast.theory import GroundFact


class SearchableDomain(Protocol):
    """Part of a domain's interface that the search needs."""

    def __hash__(self) -> int: ...

    def actions(self, state: Any) -> Iterable[GroundFact]: ...

    def after(self, state: Any, action: GroundFact) -> Any | None: ...

    def to_move(self, state: Any) -> str | int: ...

    def friend(self, state: Any, game: Atom) -> str | int: ...

    def outcome(self, state: Any, game: Atom) -> bool | None: ...

    def followed(self, state: Any, game: Atom, action: GroundFact) -> Atom | None: ...


@lru_cache(maxsize=1_000_000)
def wins(domain: Any, state: Any, game: Atom, moves: int) -> bool:
    """Return whether the friend of a game wins it within `moves` of the friend's moves, with
    either side to move.

    The argument `domain` is a SearchableDomain.
    """
    outcome: bool | None = domain.outcome(state, game)
    if outcome is not None:
        return outcome
    if domain.to_move(state) == domain.friend(state, game):
        return moves > 0 and any(
            _wins_by(domain, state, game, action, moves) for action in domain.actions(state)
        )
    replies = list(domain.actions(state))
    return bool(replies) and all(_wins_by(domain, state, game, reply, moves + 1) for reply in replies)


def _wins_by(domain: Any, state: Any, game: Atom, action: GroundFact, moves: int) -> bool:
    """Return whether the friend wins by an action, which is the first of at most `moves` moves."""
    after, then = domain.after(state, action), domain.followed(state, game, action)
    return after is not None and then is not None and wins(domain, after, then, moves - 1)


def winning(domain: SearchableDomain, state: Any, game: Atom, moves: int) -> list[GroundFact]:
    """Return the winning actions of the friend to move, the quickest first.

    An action wins if the friend wins within `moves` moves.
    """
    if domain.outcome(state, game) is not None or domain.to_move(state) != domain.friend(state, game):
        return []
    actions = list(domain.actions(state))
    found: list[GroundFact] = []
    for most in range(1, moves + 1):
        found += [a for a in actions if a not in found and _wins_by(domain, state, game, a, most)]
    return found


def is_true(domain: SearchableDomain, state: Any, conclusion: GameStatement, moves: int) -> bool:
    """Return whether a conclusion holds: the game is won by the named move, by some move, or against every
    reply.
    """
    game = Atom(conclusion.game.predicate, conclusion.game.terms)
    friend_moves = domain.to_move(state) == domain.friend(state, game)
    if conclusion.value == SECOND_PLAYER_WIN:
        return not friend_moves and wins(domain, state, game, moves)
    if not friend_moves:
        return False
    if conclusion.by is None:
        return wins(domain, state, game, moves)
    values = tuple(term.value for term in conclusion.by.terms if isinstance(term, Constant))
    return GroundFact(conclusion.by.predicate, values) in winning(domain, state, game, moves)
