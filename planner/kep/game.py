"""The interface of a game for the planner: two players who move in turn, not only in chess."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from hornbook.compiler.match.plans import PlanInstance
from hornbook.kb.ast.parts import Part
from hornbook.kb.ast.terms import Atom
from hornbook.kb.ast.theory import GroundFact


class PlanningGame(Protocol):
    """A game of two players.

    States are hashable, and equal if they differ in nothing relevant, whatever moves led to them.
    """

    def to_move(self, state: Any) -> str: ...

    def opponent(self, player: str) -> str: ...

    def parts(self, state: Any) -> Sequence[Part]:
        """Return the facts of a state for the rule matcher."""

    def actions(self, state: Any) -> Sequence[GroundFact]:
        """Return every legal action of the player to move."""

    def after(self, state: Any, action: GroundFact) -> Any: ...

    def passed(self, state: Any) -> Any | None:
        """Return the same state with the other player to move.

        The result is None if no player may leave it so, as in check.
        """

    def beaten(self, state: Any) -> bool:
        """Return whether a state without legal actions is lost for the player to move."""

    def goals(self, state: Any) -> Iterable[Atom]:
        """Return the goals that either player may have about objects that actions change."""

    def friend(self, state: Any, goal: Atom) -> str:
        """Return the player that pursues this goal."""

    def followed(self, state: Any, goal: Atom, action: GroundFact) -> Atom | None:
        """Return the goal after an action, about the same objects, or None if they are gone.

        `state` is before the action.
        """

    def stays(self, goal: Atom) -> bool:
        """Return whether a goal is about the same objects after every action; `goals` may omit such goals."""

    def promise(self, state: Any, action: GroundFact) -> int:
        """Return the value for the acting player of the goals that an action achieves.

        It is 0 if the action achieves none.
        """

    def outlook(self, state: Any, player: str) -> int:
        """Return a heuristic value of a state for a player, in units of `promise`.

        It orders the search and proves nothing.
        """

    def appeal(self, state: Any, action: GroundFact) -> int:
        """Return the move-order value of an action for the acting player, before it is executed."""


class Plans(Protocol):
    """A matcher of plans, such as `hornbook.compiler.match.plans.PlanMatcher`."""

    def plans(self, state: Iterable[GroundFact | Part]) -> Sequence[PlanInstance]: ...

    def premises(self, plan: PlanInstance) -> Sequence[GroundFact]:
        """Return the given facts used by the derivation of a plan in the last state passed to `plans`."""
