"""Learned rules that prove the winner, for searches over the states of a native step function."""

from __future__ import annotations

from typing import Any

from hornbook.api.learned_rules import LearnedRules
from hornbook.inputs.native_games import NativeGame
from hornbook.inputs.states import State as Position
from hornbook.kb.ast.terms import Atom, Constant, GameStatement
from hornbook.kb.ast.theory import GroundFact
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.play.native import NativeState
from hornbook.play.thinking.proved import ProvedWin
from hornbook.theories.domain import Domain


class NothingDecidedError(HornbookError):
    """No rule decides the winner; the message names the games that such rules would be about."""


class RuleProofs:
    """Proofs of the winner by the rules of a game, for one thread at a time.

    The class implements `hornbook.play.thinking.proved.Proofs`. If the game belongs to the player to move,
    the rules must prove that it is won by moving first (GI). Otherwise they must prove that it is won
    although the other side moves first (IG). A win in another order of play proves nothing about the state.
    """

    def __init__(self, played: NativeGame, rules: LearnedRules) -> None:
        """Prepare the rules. Raises NothingDecidedError if no certified rule is about a decisive game."""
        self.played = played
        self._theory = rules.theory
        deciding = [
            rule.name
            for rule in rules.certified
            if isinstance(rule.head, GameStatement) and rule.head.game.predicate in played.domain.decisive
        ]
        name = played.name
        if not played.domain.decisive:
            raise NothingDecidedError(
                f"rules of `{name}` conclude nothing about the winner: its domain names no `decisive` game"
            )
        if not deciding:
            games = ", ".join(f"`{each}`" for each in sorted(played.domain.decisive))
            raise NothingDecidedError(
                f"none of the certified rules says who wins `{name}`: they would be about {games}"
            )
        self._matcher = LearnedRules(rules.theory, rules.base, names=frozenset(deciding)).matcher()

    def __call__(self, state: NativeState) -> ProvedWin | None:
        """Return the winner of a state, or None.

        The first proof with a playable move is preferred to the first proof of any kind.
        """
        played, text = self.played, str(state)
        domain = played.domain
        position = domain.position(text)
        self._matcher.set(Position(self._theory, "state", position, domain.adapter))
        mover, legal = domain.to_move(position), frozenset(state.moves())
        found: ProvedWin | None = None
        for game in domain.games(position):
            if game.predicate not in domain.decisive:
                continue
            is_movers = domain.friend(position, game) == mover
            for answer in self._matcher.answers(game):
                statement = answer.conclusion.of_game
                if statement.value != Constant("GI" if is_movers else "IG"):
                    continue
                move = None
                if is_movers and statement.by is not None:
                    written = _written(domain, position, statement.by)
                    move = written if written in legal else None
                player = state.to_move if is_movers else 1 - state.to_move
                explanation = f"{answer.statement} ({answer.rule})"
                if move is not None:
                    return ProvedWin(player, move, explanation)
                found = found or ProvedWin(player, None, explanation)
        return found


def _written(domain: Domain, position: Any, by: Atom) -> str:
    """Return an action in the notation of the native step function, for an action that is a whole turn."""
    values = tuple(term.value for term in by.terms if isinstance(term, Constant))
    return domain.write_move(position, GroundFact(by.predicate, values))
