"""Worker pool of the service: requests are shared among processes; a late or lost process is replaced.

Invariants: A process has one request at a time. All processes of a pool serve the same theory, rules and
facts. A request fails only if its time is up, or if two processes were lost with it. Every process is
notified of a change for all clients before the change is acknowledged.
"""

from __future__ import annotations

import asyncio
import gc
import pickle
import signal
import socket
from collections.abc import Callable
from typing import Protocol, cast

from hornbook.matcher.program.dataclass import dataclass
from hornbook.spread.spawning import spawn_context
from hornbook.web.service.fair_queue import FairQueue
from hornbook.web.service.messages import (
    HEAD,
    ChangeNotice,
    Done,
    Ready,
    RefusedRequest,
    Setup,
    WorkRequest,
    packed,
)

GRACE = 1.0
"""The tolerance, in seconds, before the process of a late request is killed. Engines stop on their
own.
"""


class WorkerPoolError(Exception):
    """The requested theory, store or rules cannot be served; `done` has the reason."""

    def __init__(self, done: Done) -> None:
        super().__init__(done.log or done.body.decode())
        self.done = done


class WorkerProcess(Protocol):
    """A started worker process."""

    def kill(self) -> None: ...

    def join(self) -> None: ...


def start_worker(channel: socket.socket, setup: Setup, what: bytes | None, *, keeps: bool) -> WorkerProcess:
    """Start a process that answers on a channel."""
    process = spawn_context().Process(
        target=_work, args=(channel, setup, what), kwargs={"keeps": keeps}, daemon=True
    )
    process.start()
    return process


def _work(channel: socket.socket, setup: Setup, what: bytes | None, *, keeps: bool) -> None:
    from hornbook.web.service.worker import work  # noqa: PLC0415 - the server does not import the engine

    for number in (signal.SIGINT, signal.SIGTERM):  # the parent process ends this one
        signal.signal(number, signal.SIG_IGN)
    work(channel, setup, what, keeps=keeps, settle=settle)


def settle() -> None:
    """Exempt all current objects from garbage collection.

    Collecting them would delay answers by tens of milliseconds.
    """
    gc.collect()
    gc.freeze()


@dataclass(eq=False, slots=True)
class Job:
    """A pending request."""

    work: WorkRequest
    result: asyncio.Future[Done]
    client: str = ""
    was_lost: bool = False


class Worker(asyncio.Protocol):
    """The server's connection to a process.

    It calls `freed` after each answer, and `lost` when the process has ended.
    """

    def __init__(self, freed: Callable[[Worker, Done], None], lost: Callable[[Worker], None]) -> None:
        self._freed, self._lost = freed, lost
        self.job: Job | None = None
        self.session = ""
        """The session whose facts the process has."""
        self.is_gone = False
        self._buffer = bytearray()
        self._timer: asyncio.TimerHandle | None = None
        self.process: WorkerProcess
        self._transport: asyncio.Transport | None = None
        """The connection to the process; None before it is established."""
        self._began: asyncio.Future[Ready] = asyncio.get_running_loop().create_future()

    async def start(self, setup: Setup, what: bytes | None, *, keeps: bool) -> Ready:
        """Start the process, and wait until it is ready. Raises WorkerPoolError."""
        ours, theirs = socket.socketpair()
        with theirs:
            self.process = start_worker(theirs, setup, what, keeps=keeps)
        ours.setblocking(False)
        await asyncio.get_running_loop().create_connection(lambda: self, sock=ours)
        return await self._began

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        if self.is_gone:
            self._transport.abort()

    def give(self, job: Job, seconds: float | None) -> None:
        self.job = job
        self.session = "" if job.work.session_facts is None else job.work.session_facts.session
        self._write(job.work)
        if seconds is not None:
            self._timer = asyncio.get_running_loop().call_later(seconds, self._overran, seconds)

    def tell(self, reported: ChangeNotice) -> None:
        self._write(reported)

    def _write(self, message: WorkRequest | ChangeNotice) -> None:
        assert self._transport is not None
        self._transport.write(packed(message))

    def close(self) -> None:
        """Disconnect from an idle process, which then ends."""
        self.is_gone = True
        if self._transport is not None:
            self._transport.close()

    def kill(self) -> None:
        self.is_gone = True
        self.process.kill()
        if self._transport is not None:
            self._transport.abort()

    def _overran(self, seconds: float) -> None:
        job, self.job = self.job, None
        if job is not None and not job.result.done():
            text = f"more than {seconds - GRACE:g} seconds; ask less, or ask for a higher limit (`--seconds`)"
            refusal = RefusedRequest(504, "time", text, log="the process that answered was ended")
            job.result.set_result(Done(504, refusal.body, refusal.log))
        self.process.kill()

    # Messages of the process

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while len(self._buffer) >= HEAD.size:
            (size,) = HEAD.unpack_from(self._buffer)
            if len(self._buffer) < HEAD.size + size:
                return
            message = pickle.loads(memoryview(self._buffer)[HEAD.size : HEAD.size + size])  # noqa: S301 - from our own process
            del self._buffer[: HEAD.size + size]
            self._receive(message)

    def _receive(self, message: Ready | Done) -> None:
        if not self._began.done():
            if isinstance(message, Ready):
                self._began.set_result(message)
            else:
                self._began.set_exception(WorkerPoolError(message))
            return
        assert isinstance(message, Done)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        job, self.job = self.job, None
        if job is not None and not job.result.done():
            job.result.set_result(message)
        self._freed(self, message)

    def connection_lost(self, problem: Exception | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if not self._began.done():
            refusal = RefusedRequest(
                500,
                "internal",
                "a process was lost while it was starting",
                log="lost while getting ready",
            )
            self._began.set_exception(WorkerPoolError(Done(500, refusal.body, refusal.log)))
        asyncio.get_running_loop().run_in_executor(None, self.process.join)
        self._lost(self)


class WorkerPool:
    """A pool of processes that serve the same theory, rules and facts."""

    def __init__(
        self,
        setup: Setup,
        size: int,
        seconds: float | None,
        warn: Callable[[str], None],
        changing: asyncio.Lock | None,
    ) -> None:
        """Prepare the pool.

        `changing` is a lock that is held during changes for all clients; None if there are no such changes.
        """
        self._setup, self._size, self._warn, self._changing = setup, size, warn, changing
        self._seconds = None if seconds is None else seconds + GRACE
        self.workers: list[Worker] = []
        self._idle: list[Worker] = []
        self._waiting: FairQueue[Job] = FairQueue()
        self._content: bytes | None = None
        self._is_retired = False
        self._starting: set[asyncio.Task[None]] = set()
        self.replaced = 0

    async def start(self) -> Ready:
        """Start all processes; the first one loads the theory, rules and facts.

        Raises WorkerPoolError, and then no process remains.
        """
        try:
            ready = await self._begin()
            self._content = ready.opened
            await asyncio.gather(*(self._begin() for _ in range(self._size - 1)))
        except BaseException:
            self.kill()
            raise
        return ready

    async def _begin(self) -> Ready:
        worker = Worker(self._freed, self._lost)
        self.workers.append(worker)
        try:
            ready = await worker.start(self._setup, self._content, keeps=False)
        except WorkerPoolError:
            if worker in self.workers:
                self.workers.remove(worker)
            raise
        self._next(worker)
        return ready

    @property
    def waiting(self) -> int:
        """The number of requests that no process has started."""
        return len(self._waiting)

    @property
    def answering(self) -> int:
        """The number of processes with a request."""
        return sum(worker.job is not None for worker in self.workers)

    async def answer(self, work: WorkRequest, client: str) -> Done:
        """Return the answer to a request of a client."""
        job = Job(work, asyncio.get_running_loop().create_future(), client)
        self._assign(job)
        return await job.result

    def _assign(self, job: Job) -> None:
        if not self._idle:
            self._waiting.add(job.client, job)
            return
        session = "" if job.work.session_facts is None else job.work.session_facts.session
        place = next((n for n, each in enumerate(self._idle) if each.session == session), 0) if session else 0
        self._idle.pop(place).give(job, self._seconds)

    def tell(self, reported: ChangeNotice) -> None:
        """Notify every process of a change, before the next request that it receives."""
        for worker in self.workers:
            worker.tell(reported)

    def _freed(self, worker: Worker, done: Done) -> None:
        if done.has_grown and worker in self.workers:
            self._warn("a process had grown by more than it may, and another takes its place")
            self.workers.remove(worker)
            self._replace()
            worker.close()
        else:
            self._next(worker)

    def _next(self, worker: Worker) -> None:
        while self._waiting and not worker.is_gone:
            job = self._waiting.take()
            if not job.result.done():
                worker.give(job, self._seconds)
                return
        if worker.is_gone:
            return
        self._idle.append(worker)
        self._end_if_retired()

    def _lost(self, worker: Worker) -> None:
        if worker in self._idle:
            self._idle.remove(worker)
        if worker not in self.workers:
            return
        self.workers.remove(worker)
        job = worker.job
        if job is not None and not job.result.done():
            if job.was_lost:
                refusal = RefusedRequest(
                    500, "lost", "two processes were lost while they answered", log="two processes were lost"
                )
                job.result.set_result(Done(500, refusal.body, refusal.log))
            else:
                job.was_lost = True
                self._waiting.add_first(job)
        if not worker.is_gone:
            self._warn("a process was lost or ended, and another takes its place")
            self._replace()

    def _replace(self) -> None:
        if self._is_retired and not self._waiting:
            self._end_if_retired()
            return
        self.replaced += 1
        task = asyncio.get_running_loop().create_task(self._restart())
        self._starting.add(task)
        task.add_done_callback(self._starting.discard)

    async def _restart(self) -> None:
        """Start another process, and retry until this succeeds."""
        pause = 0.1
        while True:
            try:
                if self._changing is None:
                    await self._begin()
                else:
                    # The new process loads the current facts, so no change may happen meanwhile.
                    async with self._changing:
                        self._content = None
                        await self._begin()
                return
            except WorkerPoolError as problem:
                self._warn(f"a process could not start: {problem}")
            await asyncio.sleep(pause)
            pause = min(2 * pause, 10.0)

    # Shutdown

    def retire(self) -> None:
        """Accept no more requests; queued ones are answered, and then the processes end."""
        self._is_retired = True
        self._end_if_retired()

    def _end_if_retired(self) -> None:
        if self._is_retired and not self._waiting:
            for worker in self._idle:
                self.workers.remove(worker)
                worker.close()
            self._idle.clear()

    def kill(self) -> None:
        """End all processes immediately."""
        self._is_retired = True
        for task in self._starting:
            task.cancel()
        for worker in (*self.workers,):
            worker.kill()
        self.workers.clear()
