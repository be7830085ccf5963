"""The small games as plays: what the prover asks about positions, answered by their plain rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from small_games import SmallGame, Solver, other, theory_of_game

from compiler.certificate import fingerprint_of_rule
from compiler.context import RejectedError
from compiler.generalisation import NotOperationalError
from compiler.opponent import UnansweredError, answers
from compiler.position import About
from compiler.still_won import STILL_WON, WON, still_won
from compiler.winning import Proved, Prover
from kb.terms import Atom, Constant, GameStatement
from kb.theory import GroundFact


@dataclass(frozen=True)
class SmallPlay:
    """A small game for the prover: every winning action is an attempt, every action of the opponent a reply."""

    game: SmallGame[Any]
    spoken_of: str
    solver: Solver = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "solver", Solver(self.game))

    def facts(self, state: Any, game: Atom, about: About | None) -> Iterator[GroundFact]:
        return self.game.facts(state)

    def after(self, state: Any, action: GroundFact) -> Any | None:
        return self.game.after(state, action)

    def attempts(self, state: Any, game: Atom, moves: int) -> Iterator[GroundFact]:
        friend = self._friend(game)
        for action in self.game.actions(state, friend):
            if self.solver.action_wins(state, action, friend, friend):
                yield action

    def wider(self, state: Any, game: Atom, about: About) -> Iterator[About]:
        yield about

    def replies(self, state: Any, game: Atom, about: About) -> Iterable[GroundFact]:
        return self.game.actions(state, other(self.game, self._friend(game)))

    @staticmethod
    def _friend(game: Atom) -> str:
        (friend,) = game.terms
        assert isinstance(friend, Constant)
        return str(friend.value)


def game_of(game: SmallGame[Any], friend: str) -> Atom:
    return Atom(game.game, (Constant(friend),))


class SmallProver(Prover):
    """The prover for games in which nobody may pass, and an action may win at once.

    What it does besides: an action that wins by itself is tried before any that must be followed up; that the
    friend would win if he played first is not asked for before each reply is looked at (zugzwang); and what shows
    that a reply is open may take steps.
    """

    def won(self, state: Any, game: Atom, moves: int) -> list[About]:
        known = self._matched(state, game, WON)
        if known or moves == 0:
            return known
        for action in self.play.attempts(state, game, moves):
            base_goal = GameStatement(game, Atom(action.relation, tuple(map(Constant, action.values))), WON)
            with self._position(state, game, frozenset(), [action]) as base:
                at_once = base is not None and base.holds(base_goal)
            if at_once and self._learn_won(state, game, action, frozenset()):
                return self._matched(state, game, WON)
        return super().won(state, game, moves)

    def still_won(self, state: Any, game: Atom, moves: int) -> list[About]:
        known = self._matched(state, game, STILL_WON)
        if known or moves == 0 or self._failed.get((state, game, False), 0) >= moves:
            return known
        about = self._answered(state, game, moves, frozenset())
        if about is not None and self._learn_still_won(state, game, about):
            return self._matched(state, game, STILL_WON)
        self._failed[state, game, False] = moves
        return []

    def _learn_still_won(self, state: Any, game: Atom, about: About) -> bool:
        goal = GameStatement(game, None, STILL_WON)
        replies = self.theory.replies_of(game.predicate)
        assert replies is not None
        constants = frozenset(map(Constant, about))
        try:
            with self._position(state, game, about, []) as base:
                assert base is not None
                found = answers(base, replies, game)
            still = still_won(found, replies, game, self.theory.vocabulary, constants, "learned")
            return self._certify(still.rule, still.steps, still.replies, still.open)
        except (NotOperationalError, RejectedError, UnansweredError) as problem:
            return self._refuse(goal, f"{type(problem).__name__}: {problem}")


class SmallPupil:
    """A prover of a small game, and the rules that it learned."""

    def __init__(self, game: SmallGame[Any], spoken_of: str) -> None:
        self.game = game
        self.play = SmallPlay(game, spoken_of)
        self.proved: list[Proved] = []
        self.prover = SmallProver(theory_of_game(game), self.play, self._admit)

    def _admit(self, proved: Proved) -> Proved:
        rule = replace(proved.rule, label=f"rule_{len(self.proved) + 1}")
        named = Proved(rule, replace(proved.certificate, of=fingerprint_of_rule(rule)))
        self.proved.append(named)
        return named
