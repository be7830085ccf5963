"""A player's dialogue with its two processes in simulated time.

The processes are objects. Their answers come after random delays, and some never come, because the process is
lost. The player may be slow, fail, or choose illegal moves.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from random import Random
from typing import Any

from hornbook.planner.gdl.game import Game
from hornbook.planner.players.player import Player
from hornbook.planner.protocol.dialogue import (
    DialogueSettings,
    Event,
    FromReferee,
    FromThinker,
    Lost,
    Note,
    Received,
    Refusal,
    Reply,
    Restart,
    Situation,
    TellReferee,
    TellThinker,
    TimePassed,
    step,
)
from hornbook.planner.protocol.referee import Referee
from hornbook.planner.protocol.thinker import Thinker


@dataclass(frozen=True)
class Disorder:
    """The largest delays of the processes in seconds, and the probabilities that a task loses its process."""

    referee_delay: float = 0.0
    thinker_delay: float = 0.0
    referee_loss: float = 0.0
    thinker_loss: float = 0.0


@dataclass
class _Process:
    worker: Any
    free_at: float = 0.0
    generation: int = 0


class SimulatedPlayer:
    """A player that receives requests in simulated time."""

    def __init__(
        self,
        player: Callable[[], Player],
        random: Random,
        disorder: Disorder,
        settings: DialogueSettings,
    ) -> None:
        self.time = 100.0
        self.situation = Situation(settings)
        self.replies: dict[int, Reply | Refusal] = {}
        self.replied_at: dict[int, float] = {}
        self.notes: list[str] = []
        self._player, self._random, self.disorder = player, random, disorder
        self._events: list[tuple[float, int, str, int, Event]] = []
        self._count, self._connections = count(), count()
        self._processes = {name: _Process(self._worker(name)) for name in ("referee", "thinker")}

    def settle(self) -> None:
        """Wait until all tasks are answered."""
        while self._events:
            self.advance()

    def send(self, text: str) -> int:
        """Send a request now, and return the number of its connection."""
        connection = next(self._connections)
        self._happen(Received(connection, text))
        return connection

    def ask(self, text: str) -> Reply | Refusal:
        """Send a request, and return its reply."""
        connection = self.send(text)
        while connection not in self.replies:
            self.advance()
        return self.replies[connection]

    def advance(self, most: float = float("inf")) -> None:
        """Go to the next event, or by `most` seconds."""
        wakes_at = self.situation.wakes_at
        following = self._events[0][0] if self._events else float("inf")
        until = min(following, self.time + most, float("inf") if wakes_at is None else wakes_at)
        assert until < float("inf"), "a request has no reply, and nothing else can happen"
        self.time = max(self.time, until)
        if following <= self.time:
            _, _, name, generation, event = heapq.heappop(self._events)
            if not name or self._processes[name].generation == generation:
                self._happen(event)
        elif wakes_at is not None and wakes_at <= self.time:
            self._happen(TimePassed())

    def _happen(self, event: Event) -> None:
        self.situation, effects = step(self.situation, event, self.time)
        for effect in effects:
            match effect:
                case Reply(connection) | Refusal(connection):
                    assert connection not in self.replies, "a request has two replies"
                    self.replies[connection], self.replied_at[connection] = effect, self.time
                case TellReferee(task):
                    disorder = self.disorder
                    self._work("referee", task, FromReferee, disorder.referee_delay, disorder.referee_loss)
                case TellThinker(task):
                    disorder = self.disorder
                    self._work("thinker", task, FromThinker, disorder.thinker_delay, disorder.thinker_loss)
                case Restart(name):
                    generation = self._processes[name].generation + 1
                    self._processes[name] = _Process(self._worker(name), self.time, generation)
                case Note(_, text):
                    self.notes.append(text)

    def _worker(self, name: str) -> Referee | Thinker:
        return Referee(_game) if name == "referee" else Thinker(self._player, _game)

    def _work(
        self, name: str, task: object, answered: Callable[[Any], Event], delay: float, loss: float
    ) -> None:
        process = self._processes[name]
        process.free_at = max(self.time, process.free_at) + self._random.uniform(0, delay)
        is_lost = self._random.random() < loss
        event = Lost(name) if is_lost else answered(process.worker.answer(task))  # type: ignore[arg-type]
        heapq.heappush(self._events, (process.free_at, next(self._count), name, process.generation, event))
        if is_lost:
            process.worker = _Lost()


@lru_cache(maxsize=16)
def _game(rules: str) -> Game:
    """Return the game of some rules, which both processes share here."""
    return Game(rules)


class _Lost:
    """A lost process, which answers no task."""

    def answer(self, task: object) -> None:
        """Answer nothing."""
