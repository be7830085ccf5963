"""A wrapper of a game that counts the generated states and enforces a time limit during planning."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from time import monotonic
from typing import Any

from hornbook.kb.ast.parts import Part
from hornbook.kb.ast.terms import Atom
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.hornbook_error import HornbookError
from hornbook.matcher.program.dataclass import dataclass
from hornbook.theories.protocols.planning import PlanningGame


class OutOfTimeError(HornbookError):
    """The time limit of planning is exceeded."""


@dataclass(slots=True)
class Watched:
    """A game that calls `progress` for each generated state.

    Raises OutOfTimeError once the monotonic clock reaches `until`.
    """

    game: PlanningGame
    until: float
    progress: Callable[[int], None]
    made: int = 0

    def after(self, state: Any, action: GroundFact) -> Any:
        if monotonic() > self.until:
            raise OutOfTimeError("the time for planning is up")
        self.made += 1
        self.progress(self.made)
        return self.game.after(state, action)

    def to_move(self, state: Any) -> str:
        return self.game.to_move(state)

    def opponent(self, player: str) -> str:
        return self.game.opponent(player)

    def parts(self, state: Any) -> Sequence[Part]:
        return self.game.parts(state)

    def actions(self, state: Any) -> Sequence[GroundFact]:
        return self.game.actions(state)

    def passed(self, state: Any) -> Any | None:
        return self.game.passed(state)

    def beaten(self, state: Any) -> bool:
        return self.game.beaten(state)

    def goals(self, state: Any) -> Iterable[Atom]:
        return self.game.goals(state)

    def friend(self, state: Any, goal: Atom) -> str:
        return self.game.friend(state, goal)

    def followed(self, state: Any, goal: Atom, action: GroundFact) -> Atom | None:
        return self.game.followed(state, goal, action)

    def stays(self, goal: Atom) -> bool:
        return self.game.stays(goal)

    def promise(self, state: Any, action: GroundFact) -> int:
        return self.game.promise(state, action)

    def outlook(self, state: Any, player: str) -> int:
        return self.game.outlook(state, player)

    def appeal(self, state: Any, action: GroundFact) -> int:
        return self.game.appeal(state, action)
