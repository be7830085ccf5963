"""Clocks of games: the time of a side, the time for a move, and the time left after it.

All times are wall-clock seconds, as programs and referees count them.
"""

from __future__ import annotations

from dataclasses import field, replace
from threading import Condition, Thread
from time import monotonic
from typing import Any

from hornbook.matcher.program.dataclass import dataclass
from hornbook.play.native import NativeState, SearchResult, SearchStop
from hornbook.play.whole.played import PlayedGame
from hornbook.play.whole.thinking import SearchArguments, SearchPlayer, Thought

MOVES_LEFT = 30
"""The assumed number of further moves of each side."""
SAFE = 0.8
"""The part of a move's time for the search; the rest is for other work."""
RESERVED = 0.25
"""Reserved seconds, so that a temporarily busy processor loses no game."""
LEAST = 0.001
FORGOTTEN = 0.9
"""The factor of the greatest delay after each move."""


@dataclass(frozen=True, slots=True)
class GameClock:
    """The time of a side: `left` seconds, and then `more`.

    Without a `period`, `more` is added after each move (Fischer). With one, each period of that number of
    moves has `more` seconds, and unused time lapses (Canadian). `to_go` is the number of moves left in the
    current period, 0 before the first.
    """

    left: float
    more: float = 0.0
    period: int = 0
    to_go: int = 0

    @property
    def allowed(self) -> float:
        """Return the seconds that the next move may take without a loss."""
        return self.left + (self.more if self.period and not self.to_go else 0.0)

    def spent(self, took: float) -> GameClock:
        """Return the clock after a move; the caller checks that the move took no more than allowed."""
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

    def with_time_left(self, left: float, to_go: int) -> GameClock:
        """Return the clock set to an external statement of the time left.

        `to_go` is the number of moves left in the period, 0 if there is none.
        """
        return replace(self, left=left, period=max(self.period, to_go), to_go=to_go)

    def for_a_move(self, late: float = 0.0) -> float:
        """Return the seconds for thinking about the next move.

        The answer may be delayed by `late` seconds.
        """
        free = self.left - min(RESERVED, self.left / 2)
        share = free / self.to_go if self.to_go else free / MOVES_LEFT + self.more / max(1, self.period)
        return max(LEAST, SAFE * min(share, self.allowed) - late)


@dataclass(frozen=True, slots=True)
class Control:
    """The time control of a game: `seconds` for each period of `moves` moves.

    If `moves` is 0, `seconds` are for the whole game, and `more` is added after each move.
    """

    seconds: float
    more: float = 0.0
    moves: int = 0

    def __str__(self) -> str:
        period = f"{self.moves}/" if self.moves else ""
        return f"{period}{self.seconds:g}{f'+{self.more:g}' if self.more else ''}"

    @classmethod
    def read(cls, text: str) -> Control:
        """Parse a time control.

        The forms are `60` (seconds for a game), `60+0.5` (with an increment for each move), `40/60` (for 40
        moves), and `1/5` (for each move). Raises ValueError.
        """
        period, slash, rest = text.rpartition("/")
        seconds, plus, more = rest.partition("+")
        found = cls(float(seconds), float(more) if plus else 0.0, int(period) if slash else 0)
        if not (0 < found.seconds < 1e6 and 0 <= found.more < 1e6) or (slash and (found.moves < 1 or plus)):
            raise ValueError
        return found

    def initial_clock(self) -> GameClock:
        """Return a clock at the beginning of a game."""
        if self.moves:
            return GameClock(self.seconds, self.seconds, self.moves, self.moves)
        return GameClock(self.seconds, self.more)


def stopping(player: SearchPlayer, stop: SearchStop) -> SearchPlayer:
    """Return the player with all searches ended by `stop`, except those of depth 1.

    So a move is always found.
    """

    def search(state: NativeState, **budget: Any) -> SearchResult:
        until = player.native.Stop() if budget.get("depth") == 1 else stop
        return player.search(state, **{**budget, "stop": until})

    return replace(player, search=search)


_LONGEST = 10.0**6
"""The maximal seconds of an alarm; systems refuse much longer waits."""


class Alarm:
    """A timer that sets a `SearchStop` after some seconds, unless it is cancelled.

    A single thread serves all alarms: starting a thread for each move, and waiting until it runs, can take
    longer than the move on a busy processor.
    """

    def __init__(self) -> None:
        self._change = Condition()
        self._at = 0.0
        self._stop: SearchStop | None = None
        self._waiting: Thread | None = None

    def set(self, seconds: float, stop: SearchStop) -> None:
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
    """A timekeeper that lets a player decide in time, and tracks the delay of its decisions."""

    late: float = 0.0
    planned: float = 0.0
    alarm: Alarm = field(default_factory=Alarm)

    def charged(self, seconds: float) -> None:
        """Record the time of the last move on the opponent's clock, which includes the transmission."""
        self.late = max(self.late, seconds - self.planned)

    def thought(
        self, player: SearchPlayer, game: PlayedGame, budget: SearchArguments, clock: GameClock | None
    ) -> Thought:
        """Return a decision within a budget and the wall-clock time that a clock leaves.

        At the end of that time all searches are stopped.
        """
        stop = budget.get("stop") or player.native.Stop()
        stoppable = stopping(player, stop)
        if clock is None:
            return stoppable.think(game, budget)
        self.planned = seconds = clock.for_a_move(self.late)
        given = SearchArguments(**budget)
        given["seconds"] = min(seconds, given.get("seconds", seconds))
        began = monotonic()
        self.alarm.set(seconds, stop)
        try:
            return stoppable.think(game, given)
        finally:
            self.alarm.call_off()
            self.late = max(monotonic() - began - seconds, FORGOTTEN * self.late)
