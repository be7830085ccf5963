"""Counts of games that programs play by a protocol, for UCI and GTP."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

MARGIN = 0.01
"""Tolerance in seconds for moves beyond the remaining time."""
PLIES = 400
"""Number of plies after which a game is a draw."""


class GameLostError(Exception):
    """Error for a program that crashed, made an illegal move, exceeded its time or gave a wrong answer.

    The message says which program and why.
    """


@dataclass(slots=True)
class GameTally:
    """Played games.

    The least remaining time after a move is `least`; it is negative if the tolerance was needed.
    """

    games: int = 0
    plies: int = 0
    endings: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    least: float = 1e9
    longest: float = 0.0

    def ended(self, how: str) -> None:
        """Count a game."""
        self.endings[how] += 1
        self._count()

    def lost(self, fault: GameLostError) -> None:
        """Count a game that ended by a fault."""
        print(f"  game {self.games + 1}: {fault}", flush=True)
        self.faults[str(fault)] += 1
        self._count()

    def _count(self) -> None:
        self.games += 1
        if self.games % 50 == 0:
            print(f"  {self.games} games", flush=True)

    def judge(self, name: str, took: float, left: float) -> None:
        """Count a move. Raise GameLostError for a loss on time."""
        self.plies += 1
        self.least = min(self.least, left - took)
        self.longest = max(self.longest, took)
        if took > left + MARGIN:
            raise GameLostError(f"{name}: lost on time: {took:.3f} seconds, of {left:.3f}")
