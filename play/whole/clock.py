"""Clocks of games: how long a move may take of what is left."""

from __future__ import annotations

from dataclasses import dataclass, replace
from threading import Timer

from hornbook.play.whole.played import Played
from hornbook.play.whole.thinking import Budget, Player, Thought

MOVES_LEFT = 30
"""A game is thought to last so many moves more of each side."""
SAFE = 0.8
"""The part of a move's time that is thought through: the rest is for what else takes time."""
LEAST = 0.005


@dataclass(frozen=True, slots=True)
class Clock:
    """Seconds that are left, and what comes after them: `more` seconds for every so many `moves`, or for each where that is 0."""

    left: float
    more: float = 0.0
    moves: int = 0
    in_period: bool = False

    def said(self, left: float, moves: int) -> Clock:
        """What somebody says is left, of a period of so many moves where that is not 0."""
        if moves > 0:
            return replace(self, left=left, moves=moves, in_period=True)
        return replace(self, left=left, in_period=False)

    @property
    def for_a_move(self) -> float:
        """Seconds that the next move may take."""
        if self.in_period:
            return max(LEAST, SAFE * self.left / max(1, self.moves))
        after = self.more / max(1, self.moves) if self.more > 0 else 0.0
        if self.left <= 0:
            return max(LEAST, SAFE * after)
        return max(LEAST, min(SAFE * self.left, self.left / MOVES_LEFT + SAFE * after))


def thought(player: Player, game: Played, budget: Budget, clock: Clock | None) -> Thought:
    """A decision within a budget, and within what a clock leaves: its seconds are none of the processor's, and end the search."""
    if clock is None:
        return player.think(game, budget)
    seconds = clock.for_a_move
    given = Budget(**budget)
    given["seconds"] = min(seconds, given.get("seconds", seconds))
    given["stop"] = stop = given.get("stop") or player.native.Stop()
    timer = Timer(seconds, stop.set)
    timer.daemon = True
    timer.start()
    try:
        return player.think(game, given)
    finally:
        timer.cancel()
