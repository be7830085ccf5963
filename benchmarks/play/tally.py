"""What is counted of games that programs play by a protocol: for UCI and GTP alike."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

MARGIN = 0.01
"""Seconds of the clock that a move may take more than are left."""
PLIES = 400
"""After so many a game is counted as drawn."""


class GameLostError(Exception):
    """A program crashed, made an illegal move, exceeded its time or said something wrong; the message says who and which."""


@dataclass(slots=True)
class Tally:
    """Games that were played. `least` is the shortest time that any move left on its clock; negative where the margin was needed."""

    games: int = 0
    plies: int = 0
    endings: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    least: float = 1e9
    longest: float = 0.0

    def ended(self, how: str) -> None:
        """Counts a game."""
        self.endings[how] += 1
        self._count()

    def lost(self, fault: GameLostError) -> None:
        """Counts a game that ended by a fault."""
        print(f"  game {self.games + 1}: {fault}", flush=True)
        self.faults[str(fault)] += 1
        self._count()

    def _count(self) -> None:
        self.games += 1
        if self.games % 50 == 0:
            print(f"  {self.games} games", flush=True)

    def judge(self, name: str, took: float, left: float) -> None:
        """Counts a move. Raises GameLostError for a loss on time."""
        self.plies += 1
        self.least = min(self.least, left - took)
        self.longest = max(self.longest, took)
        if took > left + MARGIN:
            raise GameLostError(f"{name}: lost on time: {took:.3f} seconds, of {left:.3f}")
