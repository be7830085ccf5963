"""The thinker: a player in one match at a time, whose errors are answers."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from hornbook.planner.gdl.game import Game
from hornbook.planner.players.player import Player
from hornbook.planner.protocol.tasks import Prepare, Rest, Think, ThinkerTask, Thought


class Thinker:
    """Gives tasks to a new player for each match. `read` returns the game of a text of rules."""

    def __init__(
        self,
        player: Callable[[], Player],
        read: Callable[[str], Game] = Game,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._new, self._read, self._clock = player, read, clock
        self._player: Player | None = None

    def answer(self, task: ThinkerTask) -> Thought:
        """Return the answer to a task."""
        try:
            match task:
                case Prepare():
                    began = self._clock()
                    game = self._read(task.rules)
                    self._player = self._new()
                    self._player.start(game, task.role, max(0.0, task.seconds - (self._clock() - began)))
                case Think():
                    if self._player is None:
                        return Thought(task.number, failure="the player has not started")
                    return Thought(task.number, self._player.play(task.state, max(0.0, task.seconds)))
                case Rest():
                    self.stop()
                    self._player = None
        except Exception as problem:  # noqa: BLE001 - a failing player must not end the match
            return Thought(task.number, failure=f"{type(problem).__name__}: {problem}")
        return Thought(task.number)

    def stop(self) -> None:
        """End the thinking of the player; another thread may call this."""
        if self._player is not None:
            self._player.stop()
