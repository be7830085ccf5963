"""Learned rules that prove who wins, asked by searches about the states of a native step."""

from __future__ import annotations

from typing import Any

from hornbook.api.learned_rules import LearnedRules
from hornbook.inputs.native_games import NativeGame
from hornbook.inputs.states import State as Position
from hornbook.kb.ast.terms import Atom, Constant, GameStatement
from hornbook.kb.ast.theory import GroundFact
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.play.native import State
from hornbook.play.thinking.proved import Won
from hornbook.theories.domain import Domain


class NothingDecidedError(HornbookError):
    """No rule says who wins; the message says what rules would."""


class RuleProofs:
    """What the rules of a game prove of who wins it (`hornbook.play.thinking.proved.Proofs`); for one thread at a time.

    Of a state whose friend is to move, that his game is won if he moves first (GI); of others, that it is won although the other side
    does (IG). What is won in another order of play says nothing of this state.
    """

    def __init__(self, played: NativeGame, rules: LearnedRules) -> None:
        """Raises NothingDecidedError where no certified rule is about a game that decides who wins."""
        self.played = played
        deciding = [
            rule.name
            for rule in rules.certified
            if isinstance(rule.head, GameStatement) and rule.head.game.predicate in played.domain.decisive
        ]
        name = played.theory.name
        if not played.domain.decisive:
            raise NothingDecidedError(
                f"rules of `{name}` say nothing of who wins: its domain names no `decisive` game"
            )
        if not deciding:
            games = ", ".join(f"`{each}`" for each in sorted(played.domain.decisive))
            raise NothingDecidedError(
                f"none of the certified rules says who wins `{name}`: they would be about {games}"
            )
        self._matcher = LearnedRules(rules.theory, rules.base, asked=frozenset(deciding)).matcher()

    def __call__(self, state: State) -> Won | None:
        """Who wins a state, by the first rule that says so with a move that can be made, or else by the first that says so."""
        played, text = self.played, str(state)
        domain = played.domain
        position = domain.position(text)
        self._matcher.set(Position(played.theory, "state", position, domain.adapter))
        mover, legal = domain.to_move(position), frozenset(state.moves())
        found: Won | None = None
        for game in domain.games(position):
            if game.predicate not in domain.decisive:
                continue
            is_movers = domain.friend(position, game) == mover
            for answer in self._matcher.answers(game):
                statement = answer.said.statement
                if statement.value != Constant("GI" if is_movers else "IG"):
                    continue
                move = None
                if is_movers and statement.by is not None:
                    written = _written(domain, position, statement.by)
                    move = written if written in legal else None
                player = state.to_move if is_movers else 1 - state.to_move
                said = f"{answer.statement} ({answer.rule})"
                if move is not None:
                    return Won(player, move, said)
                found = found or Won(player, None, said)
        return found


def _written(domain: Domain, position: Any, by: Atom) -> str:
    """An action as the native step names it, where it is a whole turn."""
    values = tuple(term.value for term in by.terms if isinstance(term, Constant))
    return domain.write_move(position, GroundFact(by.predicate, values))
