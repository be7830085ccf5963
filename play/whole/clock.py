"""Clocks of games: what a side has, what of it a move may take, and what is left after one.

All times are in seconds of the clock on the wall, as programs and referees count them.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from threading import Condition, Thread
from time import monotonic
from typing import Any

from hornbook.play.native import Found, State, Stop
from hornbook.play.whole.played import Played
from hornbook.play.whole.thinking import Budget, Player, Thought

MOVES_LEFT = 30
"""A game is thought to last so many moves more of each side."""
SAFE = 0.8
"""The part of a move's time that is thought through: the rest is for what else takes time."""
KEPT = 0.25
"""Seconds that are not planned with, so that a processor that is busy elsewhere for a while loses no game."""
LEAST = 0.001
FORGOTTEN = 0.9
"""How much of the greatest delay is still reckoned with one move later."""


@dataclass(frozen=True, slots=True)
class Clock:
    """What a side has: `left` seconds, and then `more`.

    Without a `period`, `more` is added after each move (Fischer). With one, so many moves have `more` seconds again and again, and what
    is left of these lapses (Canadian): `to_go` moves remain in the period that is running, 0 before the first.
    """

    left: float
    more: float = 0.0
    period: int = 0
    to_go: int = 0

    @property
    def allowed(self) -> float:
        """Seconds that the next move may take without a loss."""
        return self.left + (self.more if self.period and not self.to_go else 0.0)

    def spent(self, took: float) -> Clock:
        """The clock after a move; that it took no more than is allowed is for others to see."""
        left = self.left - took
        if not self.period:
            return replace(self, left=max(0.0, left) + self.more)
        to_go = self.to_go - 1
        if not self.to_go:
            if left > 0:
                return replace(self, left=left)
            left, to_go = left + self.more, self.period - 1
        if to_go == 0:
            return replace(self, left=self.more, to_go=self.period)
        return replace(self, left=max(0.0, left), to_go=to_go)

    def said(self, left: float, to_go: int) -> Clock:
        """What somebody else says is left, of a period of so many moves where that is not 0."""
        return replace(self, left=left, period=max(self.period, to_go), to_go=to_go)

    def for_a_move(self, late: float = 0.0) -> float:
        """Seconds that the next move should be thought about, if its answer may come so much later."""
        free = self.left - min(KEPT, self.left / 2)
        share = free / self.to_go if self.to_go else free / MOVES_LEFT + self.more / max(1, self.period)
        return max(LEAST, SAFE * min(share, self.allowed) - late)


@dataclass(frozen=True, slots=True)
class Control:
    """What both sides have in a game: `seconds` for so many `moves`, again and again, or for the whole game where that is 0; then `more`
    is added after each move.
    """

    seconds: float
    more: float = 0.0
    moves: int = 0

    def __str__(self) -> str:
        period = f"{self.moves}/" if self.moves else ""
        return f"{period}{self.seconds:g}{f'+{self.more:g}' if self.more else ''}"

    @classmethod
    def read(cls, text: str) -> Control:
        """Reads `60` (seconds for a game), `60+0.5` (and as much more after each move), `40/60` (for 40 moves), `1/5` (for each move).

        Raises ValueError.
        """
        period, slash, rest = text.rpartition("/")
        seconds, plus, more = rest.partition("+")
        found = cls(float(seconds), float(more) if plus else 0.0, int(period) if slash else 0)
        if not (0 < found.seconds < 1e6 and 0 <= found.more < 1e6) or (slash and (found.moves < 1 or plus)):
            raise ValueError
        return found

    def begun(self) -> Clock:
        if self.moves:
            return Clock(self.seconds, self.seconds, self.moves, self.moves)
        return Clock(self.seconds, self.more)


def stopping(player: Player, stop: Stop) -> Player:
    """The player with searches that all end once `stop` is set, but those of one move: something is always decided."""

    def search(state: State, **budget: Any) -> Found:
        until = player.native.Stop() if budget.get("depth") == 1 else stop
        return player.search(state, **{**budget, "stop": until})

    return replace(player, search=search)


_LONGEST = 10.0**6
"""Seconds that an alarm waits at most; systems refuse to wait for much longer ones."""


class Alarm:
    """Sets a `Stop` after some seconds, if it is not called off. One thread waits for all of them: to start one for each move, and to
    wait until it runs, takes more than a move where the processor is busy.
    """

    def __init__(self) -> None:
        self._change = Condition()
        self._at = 0.0
        self._stop: Stop | None = None
        self._waiting: Thread | None = None

    def set(self, seconds: float, stop: Stop) -> None:
        with self._change:
            self._at, self._stop = monotonic() + min(seconds, _LONGEST), stop
            self._change.notify()
            if self._waiting is None:
                self._waiting = Thread(target=self._wait, daemon=True)
                self._waiting.start()

    def call_off(self) -> None:
        with self._change:
            self._stop = None

    def _wait(self) -> None:
        with self._change:
            while True:
                left = self._at - monotonic()
                if self._stop is None:
                    self._change.wait()
                elif left > 0:
                    self._change.wait(left)
                else:
                    self._stop.set()
                    self._stop = None


@dataclass(slots=True)
class Watch:
    """Has a player decide in time, and remembers how much later than planned its decisions came."""

    late: float = 0.0
    planned: float = 0.0
    alarm: Alarm = field(default_factory=Alarm)

    def charged(self, seconds: float) -> None:
        """The last move took so long by the clock of who asked, who counts what lies between, too."""
        self.late = max(self.late, seconds - self.planned)

    def thought(self, player: Player, game: Played, budget: Budget, clock: Clock | None) -> Thought:
        """A decision within a budget, and within what a clock leaves: those are no seconds of the processor, and end all searches."""
        stop = budget.get("stop") or player.native.Stop()
        stoppable = stopping(player, stop)
        if clock is None:
            return stoppable.think(game, budget)
        self.planned = seconds = clock.for_a_move(self.late)
        given = Budget(**budget)
        given["seconds"] = min(seconds, given.get("seconds", seconds))
        began = monotonic()
        self.alarm.set(seconds, stop)
        try:
            return stoppable.think(game, given)
        finally:
            self.alarm.call_off()
            self.late = max(monotonic() - began - seconds, FORGOTTEN * self.late)
