"""Plans of endgames for two players who move in turn, not only in chess."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any, Protocol

from hornbook.kb.ast.parts import Part
from hornbook.kb.ast.terms import Atom
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.text.dataclass import dataclass


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


@dataclass(frozen=True, slots=True)
class Planning:
    """Description of the plans of a game for two players who move in turn.

    Plans are learned in the games of the theory `goals`; `plans` holds the shipped ones. The rules of the
    theory `claims` conclude that a side has won (games `wins`) or has not lost (games `holds`). The planner
    looks for plans whose goal value is at least `expectation`. Players have the sort `side`. `acts` is a
    condition of `goals` on ?o, the acting player, and on `{0}`, the action's first argument: `before at({0},
    ?o, _)`.
    """

    game: PlanningGame
    goals: Path
    plans: Path
    claims: Path
    wins: tuple[str, ...]
    holds: tuple[str, ...]
    expectation: int
    side: str
    acts: str


@dataclass(slots=True)
class Turn:
    """A turn of a line of play: an action (None for a null move), the state after it, and notes.

    The field `after` has the possible next turns, with the main line first.
    """

    action: GroundFact | None
    state: Any
    notes: list[str] = field(default_factory=list)
    after: list[Turn] = field(default_factory=list)
