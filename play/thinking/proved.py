"""Proved results of a game as knowledge for a search: bounds on a state's value, and the winning move."""

from __future__ import annotations

from collections.abc import Callable

from hornbook.matcher.program.dataclass import dataclass
from hornbook.play.native import Known, Native, NativeState

AFTER = 5_000
"""The number of nodes below a state after which rules are queried for it: a match takes about as long."""
TRIED = 10
SELDOM = 0.02
_PARTS = 20
"""The number of equal parts of a game's progress."""


@dataclass(frozen=True, slots=True)
class ProvedWin:
    """A proof that a player wins, whatever the other does."""

    player: int
    move: str | None
    """The winning move, if the player is to move and the proof names one that the native step knows."""

    description: str
    """The rule and its conclusion."""


Proofs = Callable[[NativeState], ProvedWin | None]
"""A function from a state to its proof, or None if there is none."""


def known(native: Native, proofs: Proofs) -> Known:
    """Return the query of a native search. The winner's outcome exceeds the other's by at least one unit."""

    def ask(state: NativeState) -> tuple[int | None, int | None, str | None]:
        won = proofs(state)
        if won is None:
            return None, None, None
        if won.player == state.to_move:
            return native.EVALUATION_UNIT, None, won.move
        return None, -native.EVALUATION_UNIT, None

    return ask


class SelectiveProofs:
    """Proofs that are queried only where they are likely to succeed.

    They are skipped in a part of the game after at least TRIED queries if less than the share SELDOM of them
    succeeded. The counts of each part remain for later games.
    """

    def __init__(self, proofs: Proofs) -> None:
        self.proofs = proofs
        self.queries, self.successes = [0] * _PARTS, [0] * _PARTS

    def __call__(self, state: NativeState) -> ProvedWin | None:
        part = state.conditions[0] * len(self.queries) // 100
        if self.queries[part] >= TRIED and self.successes[part] < SELDOM * self.queries[part]:
            return None
        found = self.proofs(state)
        self.queries[part] += 1
        self.successes[part] += found is not None
        return found
