"""The times of one reply: when the player must stop thinking, and when the reply must be sent.

Half of the margin is for a player that stops late, and half for the network.
"""

from __future__ import annotations

from hornbook.matcher.program.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Deadlines:
    """The end of the player's thinking, and the moment of the reply, in seconds of the caller's clock."""

    thinking: float
    reply: float

    @classmethod
    def of(cls, now: float, clock: float, margin: float) -> Deadlines:
        """Return the times for a request that has come now. The margin is at most half of the clock."""
        used = min(margin, clock / 2)
        return cls(now + clock - used, now + clock - used / 2)
