"""The small games for the prover, with answers from their direct implementations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from hornbook.compiler.checker.certificate import fingerprint_of_rule
from hornbook.compiler.match.position import FocusSet
from hornbook.compiler.prove.winning import ProvedRule, WinProver
from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.ast.theory import GroundFact
from oracles.proofs.small_games import SmallGame, SmallGameSolver, other, theory_of_game


@dataclass(frozen=True)
class SmallPlay:
    """A small game for the prover: every winning action is an attempt, every opponent's action a reply."""

    game: SmallGame[Any]
    focus_predicate: str
    solver: SmallGameSolver = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "solver", SmallGameSolver(self.game))

    def facts(self, state: Any, game: Atom, about: FocusSet | None) -> Iterator[GroundFact]:
        return self.game.facts(state)

    def after(self, state: Any, action: GroundFact) -> Any | None:
        return self.game.after(state, action)

    def followed(self, state: Any, game: Atom, action: GroundFact) -> Atom:
        return game

    def attempts(self, state: Any, game: Atom, moves: int) -> Iterator[GroundFact]:
        friend = self._friend(game)
        for action in self.game.actions(state, friend):
            if self.solver.action_wins(state, action, friend, friend):
                yield action

    def wider(self, state: Any, game: Atom, about: FocusSet) -> Iterator[FocusSet]:
        yield about

    def replies(self, state: Any, game: Atom, about: FocusSet) -> Iterable[GroundFact]:
        return self.game.actions(state, other(self.game, self._friend(game)))

    @staticmethod
    def _friend(game: Atom) -> str:
        (friend,) = game.terms
        assert isinstance(friend, Constant)
        return str(friend.value)


def game_of(game: SmallGame[Any], friend: str) -> Atom:
    return Atom(game.game, (Constant(friend),))


class SmallGameLearner:
    """A prover of a small game, and the rules that it learned."""

    def __init__(self, game: SmallGame[Any], focus_predicate: str) -> None:
        self.game = game
        self.play = SmallPlay(game, focus_predicate)
        self.proved: list[ProvedRule] = []
        self.prover = WinProver(theory_of_game(game), self.play, self._admit)

    def _admit(self, proved: ProvedRule) -> ProvedRule:
        rule = replace(proved.rule, label=f"rule_{len(self.proved) + 1}")
        named = ProvedRule(rule, replace(proved.certificate, of=fingerprint_of_rule(rule)))
        self.proved.append(named)
        return named
