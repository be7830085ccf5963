"""The two processes of a served player: the referee and the thinker.

Invariants: A process ends when its parent ends or disconnects, also while it works.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import socket
from collections.abc import Callable
from functools import partial
from io import BufferedReader
from queue import SimpleQueue
from threading import Thread
from typing import Any, cast

from hornbook.matcher.program.dataclass import dataclass
from hornbook.planner.protocol.dialogue import Process
from hornbook.spread.spawning import spawn_context
from hornbook.web.service.messages import HEAD, packed


@dataclass(frozen=True, slots=True)
class PlayerProgram:
    """The player that is served, and the memory of each process in bytes."""

    player: str
    threads: int
    memory: int


class TaskProcess(asyncio.Protocol):
    """The server's connection to a process. It calls `answered` with each answer, and `lost` at the end."""

    def __init__(
        self,
        role: Process,
        program: PlayerProgram,
        answered: Callable[[Any], None],
        lost: Callable[[], None],
    ) -> None:
        self._answered, self._lost = answered, lost
        self._buffer = bytearray()
        self._unsent: list[bytes] = []
        self._transport: asyncio.Transport | None = None
        self._is_gone = False
        loop = asyncio.get_running_loop()
        self.began: asyncio.Future[None] = loop.create_future()
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = spawn_context().Process(target=_work, args=(theirs, role, program), daemon=True)
            self._process.start()
        ours.setblocking(False)
        self._connecting = loop.create_task(loop.create_connection(lambda: self, sock=ours))

    def tell(self, task: object) -> None:
        """Send a task."""
        if self._transport is None:
            self._unsent.append(packed(task))
        else:
            self._transport.write(packed(task))

    def kill(self) -> None:
        """End the process; `lost` is not called."""
        self._is_gone = True
        self._process.kill()
        if self._transport is not None:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._transport.writelines(self._unsent)
        if self._is_gone:
            self._transport.abort()

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while len(self._buffer) >= HEAD.size and not self._is_gone:
            (size,) = HEAD.unpack_from(self._buffer)
            if len(self._buffer) < HEAD.size + size:
                return
            message = pickle.loads(memoryview(self._buffer)[HEAD.size : HEAD.size + size])  # noqa: S301 - from our own process
            del self._buffer[: HEAD.size + size]
            if message is not None:
                self._answered(message)
            elif not self.began.done():
                self.began.set_result(None)

    def connection_lost(self, problem: Exception | None) -> None:
        asyncio.get_running_loop().run_in_executor(None, self._process.join)
        if not self.began.done():
            self.began.set_exception(ConnectionError("the process ended while it was starting"))
            self.began.exception()  # so that asyncio reports no exception that was never read
        if not self._is_gone:
            self._is_gone = True
            self._lost()


def _work(channel: socket.socket, role: Process, program: PlayerProgram) -> None:
    """Answer tasks on a channel. The first message, None, tells that the process has started."""
    for number in (signal.SIGINT, signal.SIGTERM):  # the parent process ends this one
        signal.signal(number, signal.SIG_IGN)
    answer, stop = _worker(role, program)
    _limit_memory(program.memory)
    tasks: SimpleQueue[Any] = SimpleQueue()
    Thread(target=_read, args=(channel.makefile("rb"), tasks, stop), daemon=True).start()
    channel.sendall(packed(None))
    while True:
        channel.sendall(packed(answer(tasks.get())))


def _worker(
    role: Process, program: PlayerProgram
) -> tuple[Callable[[Any], object], Callable[[object], None]]:
    """Return the function that answers tasks, and the one that is called with each task when it comes."""
    from hornbook.planner.players.player import PlayerSetting  # noqa: PLC0415 - the server needs none of these
    from hornbook.planner.players.table import PLAYERS  # noqa: PLC0415
    from hornbook.planner.protocol.referee import Referee  # noqa: PLC0415
    from hornbook.planner.protocol.tasks import Rest  # noqa: PLC0415
    from hornbook.planner.protocol.thinker import Thinker  # noqa: PLC0415

    if role == "referee":
        return Referee().answer, lambda _: None
    setting = PlayerSetting(threads=program.threads)
    thinker = Thinker(partial(PLAYERS[program.player], setting))
    return thinker.answer, lambda task: thinker.stop() if isinstance(task, Rest) else None


def _limit_memory(size: int) -> None:
    try:
        import resource  # noqa: PLC0415 - missing on Windows
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_DATA, (size, size))


def _read(coming: BufferedReader, tasks: SimpleQueue[Any], stop: Callable[[object], None]) -> None:
    """Put each coming task into the queue; end the process when the channel is closed."""
    try:
        while len(head := coming.read(HEAD.size)) == HEAD.size:
            content = coming.read(HEAD.unpack(head)[0])
            task = pickle.loads(content)  # noqa: S301 - from the parent process
            stop(task)
            tasks.put(task)
    finally:
        os._exit(0)
