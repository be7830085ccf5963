"""Any theory as a game: positions are states, the focus set is everything, moves have unknown effects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from hornbook.compiler.checker.certificate import fingerprint_of_rule
from hornbook.compiler.match.position import FocusSet
from hornbook.compiler.prove.winning import ProvedRule, WinProver
from hornbook.kb.ast.terms import Atom
from hornbook.kb.ast.theory import GroundFact, Theory

State = tuple[GroundFact, ...]


@dataclass(frozen=True)
class AnyPlay:
    """A game whose moves are the given actions and lead to no known position."""

    actions: tuple[GroundFact, ...] = ()
    focus_predicate: str = "spoken_of"

    def facts(self, state: Any, game: Atom, about: FocusSet | None) -> Iterable[GroundFact]:
        return tuple(state)

    def after(self, state: Any, action: GroundFact) -> None:
        return None

    def followed(self, state: Any, game: Atom, action: GroundFact) -> Atom:
        return game

    def attempts(self, state: Any, game: Atom, moves: int) -> Iterable[GroundFact]:
        return self.actions

    def wider(self, state: Any, game: Atom, about: FocusSet) -> Iterator[FocusSet]:
        yield about

    def replies(self, state: Any, game: Atom, about: FocusSet) -> Iterable[GroundFact]:
        return ()


def proved(
    theory: Theory, facts: Sequence[GroundFact], game: Atom, actions: Sequence[GroundFact] = ()
) -> tuple[list[ProvedRule], list[str]]:
    """Return the rules that the prover of games learns from one state, and the reasons why it learned no
    others.
    """
    learned: list[ProvedRule] = []

    def admit(new: ProvedRule) -> ProvedRule:
        rule = replace(new.rule, label=f"learned_{len(learned)}")
        certificate = replace(new.certificate, of=fingerprint_of_rule(rule))
        learned.append(ProvedRule(rule, certificate))
        return learned[-1]

    prover = WinProver(theory, AnyPlay(tuple(actions)), admit)
    state = tuple(facts)
    prover.won(state, game, 1)
    prover.second_player_win(state, game, 1)
    if theory.replies_of(game.predicate) is not None:
        # This includes the case without an earlier win by the friend's own move.
        prover._learn_second_player_win(state, game, frozenset())
    return learned, prover.refused
