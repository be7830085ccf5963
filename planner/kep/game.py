"""What a planner asks of a game of two players who move in turn. Chess is one; nothing here knows it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from hornbook.compiler.match.plans import PlanInstance
from hornbook.kb.ast.parts import Part
from hornbook.kb.ast.terms import Atom
from hornbook.kb.ast.theory import GroundFact


class Game(Protocol):
    """States are hashable, and equal where nothing that matters differs, however they came about."""

    def to_move(self, state: Any) -> str: ...

    def opponent(self, player: str) -> str: ...

    def parts(self, state: Any) -> Sequence[Part]:
        """The facts of a state, as rules are matched on it."""

    def actions(self, state: Any) -> Sequence[GroundFact]:
        """Every legal action of who is to move."""

    def after(self, state: Any, action: GroundFact) -> Any: ...

    def passed(self, state: Any) -> Any | None:
        """The same state with the other to move; None where nobody could leave it so, as in check."""

    def beaten(self, state: Any) -> bool:
        """Whether who is to move, and has no legal action, has lost by that."""

    def goals(self, state: Any) -> Iterable[Atom]:
        """The goals that either player may have, about things that actions change."""

    def friend(self, state: Any, goal: Atom) -> str:
        """Whose goal it is."""

    def followed(self, state: Any, goal: Atom, action: GroundFact) -> Atom | None:
        """The goal after an action, about the same things; None where it is gone. `state` is before the action."""

    def stays(self, goal: Atom) -> bool:
        """Whether a goal is about the same things whatever is done; `goals` need not tell these."""

    def promise(self, state: Any, action: GroundFact) -> int:
        """What goals that an action achieves are worth to who acts; 0 where it achieves none."""

    def outlook(self, state: Any, player: str) -> int:
        """How well a player seems to stand, in promises: where to look first, and nothing about who wins."""

    def appeal(self, state: Any, action: GroundFact) -> int:
        """How good an action seems to be for who acts, before it is carried out."""


class Plans(Protocol):
    """Tells which plans apply; `hornbook.compiler.match.plans.PlanMatcher` is one."""

    def plans(self, state: Iterable[GroundFact | Part]) -> Sequence[PlanInstance]: ...

    def premises(self, plan: PlanInstance) -> Sequence[GroundFact]:
        """The given facts on which a plan rests that applied in the state that was asked about last."""
