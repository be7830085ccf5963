"""What is proved of how a game ends, as what a search is told of a state: bounds of its value, and the move that wins."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hornbook.play.native import Known, Native, State

AFTER = 5_000
"""Rules are asked about a state once so many nodes were spent below it: a match takes about as long."""
TRIED = 10
SELDOM = 0.02


@dataclass(frozen=True, slots=True)
class Won:
    """That a player wins, whatever the other does."""

    player: int
    move: str | None
    """By which, where he is to move and one is named that the native step knows."""

    said: str
    """By which rule, and what it concludes."""


Proofs = Callable[[State], Won | None]
"""What is proved of a state; None where nothing is."""


def known(native: Native, proofs: Proofs) -> Known:
    """What a native search asks. Who wins has one unit of the game's outcome more than the other, or more."""

    def ask(state: State) -> tuple[int | None, int | None, str | None]:
        won = proofs(state)
        if won is None:
            return None, None, None
        if won.player == state.to_move:
            return native.EVALUATION_UNIT, None, won.move
        return None, -native.EVALUATION_UNIT, None

    return ask


class WhereSaid:
    """Proofs that are asked where they pay: not in a part of the game in which they were asked TRIED times or more and said something
    in less than SELDOM of these. It learns that as it is asked, and keeps it for later games.
    """

    def __init__(self, proofs: Proofs, parts: int = 20) -> None:
        self.proofs = proofs
        self.asked, self.said = [0] * parts, [0] * parts

    def __call__(self, state: State) -> Won | None:
        part = state.conditions[0] * len(self.asked) // 100
        if self.asked[part] >= TRIED and self.said[part] < SELDOM * self.asked[part]:
            return None
        found = self.proofs(state)
        self.asked[part] += 1
        self.said[part] += found is not None
        return found
