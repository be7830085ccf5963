"""Guidance for the prover and for chains of matches. Guidance is not trusted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Protocol

from hornbook.kb.ast.parts import Part
from hornbook.kb.ast.terms import Atom
from hornbook.kb.ast.theory import GroundFact
from hornbook.theories import search
from hornbook.theories.protocols.games import Games
from hornbook.theories.protocols.states import FocusSet


class ProverGuidance(Protocol):
    """Guidance for the prover: which proofs that a game is won it should try. Guidance is not trusted."""

    @property
    def focus_predicate(self) -> str:
        """Static predicate that names the focus set of a body."""

    def facts(self, state: Any, game: Atom, about: FocusSet | None) -> Iterable[GroundFact | Part]: ...

    def after(self, state: Any, action: GroundFact) -> Any | None: ...

    def followed(self, state: Any, game: Atom, action: GroundFact) -> Atom | None: ...

    def attempts(self, state: Any, game: Atom, moves: int) -> Iterable[GroundFact]: ...

    def wider(self, state: Any, game: Atom, about: FocusSet) -> Iterable[FocusSet]: ...

    def replies(self, state: Any, game: Atom, about: FocusSet) -> Iterable[GroundFact]: ...


class Guidance(Games, Protocol):
    """Guidance, by default the actions that win by search."""

    focus_predicate: str = "named"
    passing: Any = None
    """Premises of conclusions in games with passes, as `hornbook.play.answering.plays.Question`."""
    proves_by_part: bool = False
    """Whether proofs of a game use only the file that defines its replies."""
    later: Mapping[str, str] = {}
    """Games that are learned after the others by separate rules, with the names of their lessons."""
    has_short_rules: bool = True
    """Whether `learn` gives long rules from problems short forms, whose parts are invented predicates.

    Rules of a game with hundreds of problems have thousands of parts, which nobody reads.
    """
    gains: Path | None = None
    """Theory that gives a lower bound on the gain of a concluded action.

    The bound is the last argument of its game `gain`; its rules may use learned rules. Without this theory a
    game gains the `worth` that the domain's theory declares for it.
    """

    def play(self, game: str) -> ProverGuidance | None:
        """Return the guidance of the prover for a game, or None if there is none; by default the domain,
        which searches.
        """
        return self

    def attempts(self, state: Any, game: Atom, moves: int) -> Iterable[GroundFact]:
        """Return the friend's candidate actions for a win within `moves` of the friend's moves, the best
        first.

        By default these are the actions that do win by search.
        """
        return search.winning(self, state, game, moves)

    def replies(self, state: Any, game: Atom, about: FocusSet) -> Iterable[GroundFact]:
        """Return the opponent's actions that concern the focus set `about`; by default all actions."""
        return () if self.to_move(state) == self.friend(state, game) else self.actions(state)

    def wider(self, state: Any, game: Atom, about: FocusSet) -> Iterable[FocusSet]:
        """Yield focus sets for a body that mentions `about`: first the same set, then larger sets that may
        help.
        """
        yield about

    def moves(self, state: Any) -> Iterable[GroundFact]:
        """Return the legal actions as chains of matches try them, the most forcing first."""
        return self.actions(state)
