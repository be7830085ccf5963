"""The effects of a player's dialogue: replies, tasks for the two processes, and timers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from hornbook.planner.protocol.dialogue import (
    DialogueSettings,
    Effect,
    Ending,
    Event,
    FromReferee,
    FromThinker,
    Lost,
    Note,
    Process,
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
from hornbook.web.player.processes import PlayerProgram, TaskProcess
from hornbook.web.serving import ServingError

START_SECONDS = 60.0
"""The maximum time until both processes have started."""


class PlayerService:
    """A player for game managers. `tell` gets the level and the text of each event for people."""

    def __init__(
        self,
        settings: DialogueSettings,
        program: PlayerProgram,
        tell: Callable[[str, str], None],
        process: Callable[..., TaskProcess] = TaskProcess,
    ) -> None:
        self._situation = Situation(settings)
        self._program, self._tell, self._new = program, tell, process
        self._processes: dict[Process, TaskProcess] = {}
        self._replies: dict[int, asyncio.Future[Reply | Refusal]] = {}
        self._connections = 0
        self._timer: asyncio.TimerHandle | None = None

    @asynccontextmanager
    async def life(self) -> AsyncIterator[None]:
        """Start the processes, and end them afterwards. Raises ServingError if they do not start."""
        try:
            self._start("referee")
            self._start("thinker")
            try:
                async with asyncio.timeout(START_SECONDS):
                    await asyncio.gather(*(each.began for each in self._processes.values()))
            except (TimeoutError, ConnectionError):
                raise ServingError("the processes of the player do not start") from None
            yield
        finally:
            for each in self._processes.values():
                each.kill()
            self._processes.clear()

    async def reply_to(self, text: str) -> Reply | Refusal:
        """Return the reply to a request."""
        self._connections += 1
        reply = asyncio.get_running_loop().create_future()
        self._replies[self._connections] = reply
        self._happen(Received(self._connections, text))
        found: Reply | Refusal = await reply
        return found

    def end(self) -> None:
        """Reply at once to the request that is being answered."""
        self._happen(Ending())

    def _happen(self, event: Event) -> None:
        loop = asyncio.get_running_loop()
        self._situation, effects = step(self._situation, event, loop.time())
        for effect in effects:
            self._execute(effect)
        if self._timer is not None:
            self._timer.cancel()
        wakes_at = self._situation.wakes_at
        self._timer = None if wakes_at is None else loop.call_at(wakes_at, self._happen, TimePassed())

    def _execute(self, effect: Effect) -> None:
        match effect:
            case Reply(connection) | Refusal(connection):
                reply = self._replies.pop(connection)
                if not reply.done():  # its client may have gone
                    reply.set_result(effect)
            case TellReferee(task):
                self._processes["referee"].tell(task)
            case TellThinker(task):
                self._processes["thinker"].tell(task)
            case Restart(name):
                self._processes[name].kill()
                self._start(name)
            case Note(level, text):
                self._tell(level, text)

    def _start(self, name: Process) -> None:
        answered: Callable[[Any], Event] = FromReferee if name == "referee" else FromThinker
        self._processes[name] = self._new(
            name,
            self._program,
            lambda answer: self._happen(answered(answer)),
            partial(self._lose, name),
        )

    def _lose(self, name: Process) -> None:
        if name in self._processes:  # not at the end
            self._happen(Lost(name))
